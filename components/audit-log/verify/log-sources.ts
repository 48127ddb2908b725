// Where the browser reads log files from: the server, or a folder written by `reclaim audit export`. The verifier does not know which.
import type { ReadLogFile } from "@/server/domain/audit-log/verify-log";
import { routes } from "@/server/domain/console/routes";

/** The check was stopped or could not continue, so it has no result. */
export class ReadStopped extends Error {}

/** Reads from this page's server. Throws ReadStopped on anything but a file that exists or does not exist. */
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
  /** Includes the name of the chosen folder. */
  readonly webkitRelativePath: string;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** Reads from a chosen folder. Throws ReadStopped for an unreadable file, and when the check was stopped. */
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
