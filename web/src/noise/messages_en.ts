/// The words of the page on noise.
export const noise_en = {
  "title": "What an epsilon looks like",
  "title.of": "{mechanism} · sensitivity {sensitivity} · {draws} draws an ε",

  noise: "Noise",
  draws: "Draws",
  drawn: "drawn",
  expected: "by the exact law",
  from: "From",
  to: "To",
  share: "Share of the draws",

  "overview.title": "The same numbers, before and after",
  "overview.lead": "Each line is one ε. The second column says how far 95 % of the noise stays from the truth; the others show the number above them with noise, drawn once.",
  "overview.table": "Before and after",
  "overview.half": "95 % within ±",
  "overview.before": "{before} becomes",

  "panel.title": "ε = {epsilon}",
  "panel.lead": "Bars are draws, the line is the law that they are drawn from. The first and the last bar hold all that lies further out.",
  "panel.cost": "These draws cost nobody anything: they are around 0. {draws} draws around a real value would cost ε = {epsilon} in all.",
  "panel.cost.delta": "These draws cost nobody anything: they are around 0. {draws} draws around a real value would cost ε = {epsilon} and δ = {delta} in all.",
  "panel.cost.none": "These draws cost nobody anything: they are around 0. {draws} draws around a real value would add up to no promise at all.",

  "histogram.chart": "Draws and law, ε = {epsilon}",
  "histogram.summary": "With ε = {epsilon} 95 % of the noise lies within ±{half}.",

  "quantiles.chart": "Quantiles against quantiles, ε = {epsilon}",
  "quantiles.law": "Quantile of the law",
  "quantiles.drawn": "Quantile of the draws",
  "quantiles.share": "{share} of the draws lie at or below",
  "quantiles.points": "99 quantiles",
  "quantiles.diagonal": "where they are equal",
  "quantiles.summary": "Points on the dashed line: the draws have the law that they should have.",

  "reading.title": "How to read this",
  "reading.text": "ε says how much one person can change what others see; noise hides that change. Half of ε needs twice the noise. The law is known to everybody: the page draws it from its formula, not from the draws. What is released in earnest is one draw, not {draws}: their mean would be the truth.",
} as const;
