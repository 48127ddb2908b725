// Keeps a text as a file, without asking the server for it again.
export function saveFile(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  // The browser has it by then; what is kept longer would stay in memory as long as the page.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
