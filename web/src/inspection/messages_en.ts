/// The words of the report on the columns of a table.
export const inspection_en = {
  "title": "Which columns identify people",
  "title.of": "{file} · {rows} rows · {columns} columns",
  "internal.word": "INTERNAL",
  "internal.text": "Everything here was read from the raw table: it is for the owner's own eyes.",

  column: "Column",
  role: "Suggested role",
  availability: "Availability",
  distinct: "Different values",
  missing: "Missing",
  distinction: "Distinction",
  separation: "Separation",
  why: "Why",
  "reason.no_availability": "not a candidate",
  "reason.no_pairs": "fewer than two rows with a value",
  "reason.nothing_left": "nothing of these columns would be left",

  "relevance.title": "What columns tell of the target",
  "relevance.lead": "How much knowing a column tells about {target}: mutual information, from 0 for the least telling of the columns compared to 1 for the most. The least telling one is 0 by construction, which does not mean that it is harmless.",
  "relevance.chart": "Relevance of columns",
  "relevance.name": "Relevance, 0 to 1",
  "relevance.summary": "{first} tells most.",

  "risk.title": "Risk: relevance times availability",
  "risk.lead": "A column that tells much and that outsiders learn easily (availability, 1 to 5) is the first to be made coarser. The figure compares these columns with each other; it is no probability.",
  "risk.chart": "Risk of columns",
  "risk.name": "Relevance × availability",
  "risk.summary": "{first} comes first.",

  "columns.title": "All columns",
  "columns.lead": "Roles are suggestions, made from names and values: confirm them. Distinction: share of different values. Separation: share of pairs of rows that the column tells apart.",
  "columns.table": "Columns and what they could be",

  "combinations.title": "Columns together",
  "combinations.lead": "Several harmless columns can identify together. The loss is what it costs to make all classes as large as {k} by generalising, with 5 % of the rows suppressed: 0 is nothing, 1 everything.",
  "combinations.table": "Combinations of three, four and five columns",
  "combinations.columns": "Columns",
  "combinations.uniques": "Unique rows",
  "combinations.below_k": "Rows in classes below {k}",
  "combinations.smallest": "Smallest class",
  "combinations.loss": "Loss for k = {k}",

  "ties.title": "Ties to protected groups",
  "ties.lead": "Columns that go together with a protected one: making them coarser treats groups differently. Cramér's V is 0 for none and 1 for a column that follows from the other.",
  "ties.table": "Ties",
  "ties.protected": "Protected column",
  "ties.v": "Cramér's V",

  "reading.title": "How to read this",
  "reading.text": "Begin with the riskiest columns and ask what an outsider can know. Drop direct identifiers, generalise quasi-identifiers, and keep an eye on ties. What a policy then decides is checked by gauze check, and what a release would cost by gauze evaluate.",
} as const;
