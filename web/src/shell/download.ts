import { h } from "./dom";

/// Hands a file to the reader. Nothing leaves the page.
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/// A byte order mark makes spreadsheets read UTF-8 as UTF-8.
export function download_csv(name: string, csv: string): void {
  download(`${name}.csv`, new Blob(["\ufeff", csv], { type: "text/csv;charset=utf-8" }));
}

export function download_json(name: string, json: string): void {
  download(`${name}.json`, new Blob([json], { type: "application/json" }));
}
