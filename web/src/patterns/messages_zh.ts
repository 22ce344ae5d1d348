import type { patterns_en } from "./messages_en";

export const patterns_zh: Readonly<Record<keyof typeof patterns_en, string>> = {
  "title": "隐藏型样的各种方法及其代价",
  "title.of": "{file} · {rows} 笔交易 · 隐藏至 {count} 以下（{level}）",
  "internal.word": "内部",
  "internal.text": "含敏感型样，且由原始数据算得，请勿公开。",

  algorithm: "算法",
  margin: "余量",
  changes: "改动数",
  rows: "改动的交易",
  failure: "隐藏失败率",
  level: "级别",
  lost: "失去的项目集",
  lost_at: "{factor} 倍门槛时失去",
  seconds: "秒（CPU）",
  removed: "移除的项目",
  not_reached: "未达到",
  skipped: "未运行",
  uncounted: "多到未能计数的",

  "overview.title": "并列比较",
  "overview.lead": "各算法隐藏相同的型样。“失去”指原本频繁而隐藏后不再频繁的其他项目集，共 {total} 个；因包含敏感型样而必须消失的不计。",
  "overview.table": "最小余量时",
  "overview.patterns": "型样",
  "pattern": "型样",
  "before": "隐藏前的交易数",
  "threshold": "隐藏至以下",

  "curve.title": "改动与损失",
  "curve.lead": "每条线为一种算法；各点依次把型样压得更低。越靠左下越好：改动少，损失少。线条重叠处各色交替出现，重叠的点画成圆环。",
  "curve.chart": "改动数与失去的项目集",
  "curve.x": "改动数",
  "curve.y": "失去的项目集",
  "curve.point": "{name}，余量 {margin}",
  "curve.summary": "最小余量时 {best} 失去的项目集最少：{lost} 个，改动 {changes} 处。",

  "band.title": "采用其他门槛的读者",
  "band.lead": "按门槛的倍数计算损失：只顾一个门槛的算法可能在稍高处造成损害。",
  "band.chart": "各门槛下失去的项目集",
  "band.x": "门槛的倍数",
  "band.summary": "在整个范围内 {best} 失去的项目集最少：合计 {lost} 个。",
};
