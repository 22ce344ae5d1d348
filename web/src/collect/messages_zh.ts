import type { collect_en } from "./messages_en";

export const collect_zh: Record<keyof typeof collect_en, string> = {
  "title": "在虚构设备上试行的一次收集",
  "title.of": "{task} · 每次上报 ε = {epsilon} · {users} 台设备 · 重复 {repetitions} 次 · {distribution}",
  "internal.word": "内部资料",
  "internal.text": "这是模拟：图中数值由所有设备的真实取值算出，不是对外发布的结果。",

  mechanism: "机制",
  error: "误差（均方根）",
  theory: "公式给出的误差",
  ratio: "均方误差与理论值之比",
  coverage: "区间覆盖率",
  bytes: "每次上报的字节数",
  devices: "设备数",

  "errors.title": "估计偏离多少",
  "errors.lead.frequency": "每根柱对应一种机制：所估计占比的均方根误差，对全部 {size} 个取值和所有重复求平均。标记为方差公式给出的值；柱与标记应当一样高。",
  "errors.lead.mean": "每根柱对应一种机制：所估计均值的均方根误差，对所有重复求平均。标记为方差公式给出的值；柱与标记应当一样高。",
  "errors.chart": "各机制的误差",
  "errors.measured": "实测",
  "errors.formula": "公式",
  "errors.summary": "{best} 的误差最小：{error}。",

  "bytes.title": "一次上报有多大",
  "bytes.lead": "误差与上报大小的关系。左下角最好；每台设备的每次上报都要传输这些字节。",
  "bytes.chart": "误差与字节数",
  "bytes.summary": "{best} 的误差最小，每次上报 {bytes} 字节。",

  "overview.title": "全部数值",
  "overview.lead": "区间覆盖率：在所有取值和重复中，95 % 区间包含真实值的比例。约 95 % 为正确；偏低说明区间有误。",
  "overview.table": "各机制对照",

  "reading.title": "如何阅读",
  "reading.text": "误差是给定这些设备时噪声造成的误差，随设备数的平方根下降：设备数变为四倍，误差减半。ε 越小越不准确：ε 较小时，减半会使误差加倍。经过一致化处理（非负、合计 100 %）的占比看起来更好，但有偏；多个取值之和取自无偏估计。",
};
