/// 噪声页面的文字。
export const noise_zh = {
  "title": "ε 意味着多大的噪声",
  "title.of": "{mechanism} · 敏感度 {sensitivity} · 每个 ε 抽取 {draws} 次",

  noise: "噪声",
  draws: "次数",
  drawn: "抽取结果",
  expected: "精确分布",
  from: "从",
  to: "到",
  share: "抽取的份额",

  "overview.title": "同样的数，加噪之前与之后",
  "overview.lead": "每一行是一个 ε。第二列表示 95 % 的噪声与真值相差不超过多少；其余各列是列名中的数加噪一次的结果。",
  "overview.table": "之前与之后",
  "overview.half": "95 % 在 ± 以内",
  "overview.before": "{before} 变为",

  "panel.title": "噪声强度 ε = {epsilon}",
  "panel.lead": "柱形是抽取的结果，曲线是其所服从的分布。第一根和最后一根柱形包含更远处的全部结果。",
  "panel.cost": "这些抽取围绕 0 进行，不涉及任何人，也不消耗预算。若围绕真实数值抽取 {draws} 次，总共要花费 ε = {epsilon}。",
  "panel.cost.delta": "这些抽取围绕 0 进行，不涉及任何人，也不消耗预算。若围绕真实数值抽取 {draws} 次，总共要花费 ε = {epsilon}、δ = {delta}。",
  "panel.cost.none": "这些抽取围绕 0 进行，不涉及任何人，也不消耗预算。若围绕真实数值抽取 {draws} 次，累积起来便不再有任何保证。",

  "histogram.chart": "抽取结果与分布，ε = {epsilon}",
  "histogram.summary": "ε = {epsilon} 时，95 % 的噪声在 ±{half} 以内。",

  "quantiles.chart": "分位数对照图，ε = {epsilon}",
  "quantiles.law": "分布的分位数",
  "quantiles.drawn": "抽取结果的分位数",
  "quantiles.share": "{share} 的抽取结果不超过",
  "quantiles.points": "99 个分位数",
  "quantiles.diagonal": "两者相等之处",
  "quantiles.summary": "点落在虚线上：抽取结果服从应有的分布。",

  "reading.title": "如何阅读",
  "reading.text": "ε 表示一个人能在多大程度上改变他人所见的结果；噪声掩盖这种改变。ε 减半，噪声加倍。分布是公开的：页面按公式绘制，而不是根据抽取结果。真正发布时只抽取一次，而不是 {draws} 次：多次抽取的平均值就会暴露真值。",
} as const;
