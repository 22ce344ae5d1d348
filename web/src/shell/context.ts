import type { Language, Translate } from "./i18n";
import type { Look } from "./look";

/// What everything on the page is drawn with.
export interface Context {
  readonly t: Translate;
  readonly language: Language;
  readonly look: Look;
  readonly printing: boolean;
  readonly file_stem: string; ///< downloads are named STEM-ID.csv
  /// What the reader set in a chart or a control; survives a change of language or colours.
  readonly memory: Map<string, unknown>;
  /// Called when the page is taken down.
  readonly on_close: (action: () => void) => void;
}

/// The value under that name, or the first one.
export function remembered<T>(context: Context, name: string, first: T): T {
  return context.memory.has(name) ? (context.memory.get(name) as T) : first;
}
