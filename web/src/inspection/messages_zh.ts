/// 检视表格各列的报告文字。
export const inspection_zh = {
  "title": "哪些列能识别个人",
  "title.of": "{file} · {rows} 行 · {columns} 列",
  "internal.word": "内部",
  "internal.text": "此处一切均读自原始表格，仅供数据持有者查看。",

  column: "列",
  role: "建议的角色",
  availability: "可得性",
  distinct: "不同取值",
  missing: "缺失",
  distinction: "区分度",
  separation: "分离度",
  why: "理由",
  "reason.no_availability": "不在候选之列",
  "reason.no_pairs": "有值的行不足两行",
  "reason.nothing_left": "这些列将什么也不剩",

  "relevance.title": "各列透露了目标的多少信息",
  "relevance.lead": "知道某一列之后，对 {target} 能了解多少：互信息，在所比较的列中最少者为 0，最多者为 1。最少者按定义为 0，这并不表示它无害。",
  "relevance.chart": "各列的相关性",
  "relevance.name": "相关性，0 到 1",
  "relevance.summary": "{first} 透露的信息最多。",

  "risk.title": "风险：相关性乘以可得性",
  "risk.lead": "透露信息多、外人又容易得知（可得性 1 到 5）的列，应当最先泛化。该数值只用于各列之间的比较，不是概率。",
  "risk.chart": "各列的风险",
  "risk.name": "相关性 × 可得性",
  "risk.summary": "{first} 排在首位。",

  "columns.title": "全部列",
  "columns.lead": "角色是根据名称和取值给出的建议，请加以确认。区分度：不同取值所占的比例。分离度：该列能区分开的行对所占的比例。",
  "columns.table": "各列及其可能的角色",

  "combinations.title": "多列组合",
  "combinations.lead": "几个单独无害的列合在一起可能识别出个人。损失是指在抑制 5 % 的行的条件下，通过泛化使所有类达到 {k} 行所付出的代价：0 为毫无损失，1 为全部损失。",
  "combinations.table": "三列、四列与五列的组合",
  "combinations.columns": "列组合",
  "combinations.uniques": "唯一的行",
  "combinations.below_k": "所在类小于 {k} 的行",
  "combinations.smallest": "最小的类",
  "combinations.loss": "k = {k} 的损失",

  "ties.title": "与受保护群体的关联",
  "ties.lead": "与受保护列相关联的列：对其泛化会使不同群体受到不同对待。克莱姆 V 系数为 0 表示无关联，为 1 表示一列可由另一列推出。",
  "ties.table": "关联",
  "ties.protected": "受保护的列",
  "ties.v": "克莱姆 V 系数",

  "reading.title": "如何阅读",
  "reading.text": "从风险最高的列开始，考虑外人可能知道什么。删除直接标识符，泛化准标识符，并留意关联。策略作出的决定用 gauze check 检查，发布的代价用 gauze evaluate 评估。",
} as const;
