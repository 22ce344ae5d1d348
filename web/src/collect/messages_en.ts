/// The words of the report on simulated collections.
export const collect_en = {
  "title": "A collection, tried on made-up devices",
  "title.of": "{task} · ε = {epsilon} a report · {users} devices · {repetitions} repetitions · {distribution}",
  "internal.word": "INTERNAL",
  "internal.text": "A simulation: its figures were computed from the values of all devices. Nothing here is a release.",

  mechanism: "Mechanism",
  error: "Error (root of the mean square)",
  theory: "Error by the formula",
  ratio: "Squared error over theory",
  coverage: "Intervals that hold",
  bytes: "Bytes of a report",
  devices: "Devices",

  "errors.title": "How far estimates are off",
  "errors.lead.frequency": "Each bar is one mechanism: the root of the mean squared error of an estimated share, over all {size} values and all repetitions. The mark is what the variance formula says; bar and mark should be equally high.",
  "errors.lead.mean": "Each bar is one mechanism: the root of the mean squared error of the estimated mean, over all repetitions. The mark is what the variance formula says; bar and mark should be equally high.",
  "errors.chart": "Error by mechanism",
  "errors.measured": "measured",
  "errors.formula": "by the formula",
  "errors.summary": "{best} has the smallest error: {error}.",

  "bytes.title": "What a report weighs",
  "bytes.lead": "Error against the size of a report. The lower left corner is best; every device pays the bytes with every report.",
  "bytes.chart": "Error and bytes",
  "bytes.summary": "{best} has the smallest error, with {bytes} bytes for a report.",

  "overview.title": "All figures",
  "overview.lead": "Intervals that hold: the share of 95 % intervals, over values and repetitions, that contain the true figure. About 95 % is right; less would be a fault of the intervals.",
  "overview.table": "Mechanisms side by side",

  "reading.title": "How to read this",
  "reading.text": "Errors are those of the noise, given these devices. They fall with the root of the number of devices: four times as many halve them. A smaller ε costs accuracy: at small ε half of it doubles the error. Shares that are made consistent (not negative, adding up to 100 %) look better than these and are biased; sums over several values are taken from the unbiased ones.",
} as const;
