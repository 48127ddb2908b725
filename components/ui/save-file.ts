// Saves content as a file in the browser, without another request.
export function saveFile(name: string, ...content: readonly BlobPart[]): void {
  const href = URL.createObjectURL(new Blob([...content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  // The download has started by then; an unrevoked URL would stay in memory until the page closes.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
