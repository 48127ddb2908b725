// Where the files of a log come from in a browser: the server, or a folder that `reclaim audit export` wrote. What checks them does not know which.
import type { ReadLogFile } from "@/server/domain/audit-log/verify-log";
import { routes } from "@/server/domain/console/routes";

/** The check was stopped, or could not go on: it found nothing wrong, and nothing right either. */
export class ReadStopped extends Error {}

/** From the server of this page. Throws ReadStopped for everything but a file that is there, or is not. */
export const fromServer =
  (signal: AbortSignal, ask: typeof fetch = fetch): ReadLogFile =>
  async (path) => {
    const response = await ask(routes.files.auditLog(path), { signal, cache: "no-store" }).catch(() => {
      throw new ReadStopped(signal.aborted ? "It was stopped." : "The server does not answer.");
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new ReadStopped(`The server answers with status ${response.status}.`);
    return new Uint8Array(await response.arrayBuffer());
  };

interface FolderFile {
  /** With the name of the chosen folder before it. */
  readonly webkitRelativePath: string;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** From a folder that was chosen. Throws ReadStopped for a file that cannot be read, and when the check was stopped. */
export function fromFolder(files: Iterable<FolderFile>, signal: AbortSignal): ReadLogFile {
  const byPath = new Map<string, FolderFile>();
  for (const file of files) byPath.set(file.webkitRelativePath.split("/").slice(1).join("/"), file);
  return async (path) => {
    if (signal.aborted) throw new ReadStopped("It was stopped.");
    const file = byPath.get(path);
    if (file === undefined) return null;
    const bytes = await file.arrayBuffer().catch(() => {
      throw new ReadStopped(`${path} cannot be read.`);
    });
    return new Uint8Array(bytes);
  };
}
