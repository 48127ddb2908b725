// The iPXE scripts that a booting host is given (https://ipxe.org/scripting). None but the first ever ends with the next boot device.
import type { ImageKind } from "@/server/domain/cleaning/agent-image";

/** The same for a host that is not ours, and one that nobody waits for. */
export const bootFromDisk = "#!ipxe\n# boot from disk\nexit 0\n";

const pauseSeconds = 5;

/** Asks again after a pause, for as long as it takes. Whatever fails, a key that is pressed included, leads back to the pause. */
const askAgain = (self: string): readonly string[] => [
  ":again",
  `sleep ${pauseSeconds} ||`,
  `chain --replace ${self} ||`,
  "goto again",
  "",
];

/** Nothing is started: the host waits here until it is restarted, or until its boot is waited for. `self`: where it asks again. */
export function waitScript(self: string): string {
  return ["#!ipxe", "# wait", ...askAgain(self)].join("\n");
}

export interface BootImage {
  /** Where `vmlinuz` and `initrd.img` lie, and the detached signature of each as `.sig` if it is signed. */
  readonly url: string;
  /** SHA-256 of `initrd.img`, in hexadecimal digits. */
  readonly sha256: string | null;
  readonly signed: boolean;
  readonly kind: ImageKind;
}

/** How the agent of an image is told where to report: Ironic's by the parameters of `ironic_python_agent/config.py`. */
const toldServer = (kind: ImageKind, server: string): string =>
  kind === "ironic" ? `ipa-api-url=${server}` : `reclaim.server=${server}`;

/**
 * Starts the image, or asks again: one that does not load or whose signature does not fit never leads to a disk. The digest stands in the
 * kernel's command line, which measured boot takes into account, for the image itself to compare.
 */
export function imageScript({ url, sha256, signed, kind }: BootImage, server: string, self: string): string {
  const digest = sha256 === null ? "" : ` reclaim.initrd_sha256=${sha256}`;
  const verified = signed
    ? ["vmlinuz", "initrd.img"].map(
        (name) =>
          /* safety: image: a signature that does not fit starts nothing → `imgverify ${name} ${url}/${name}.sig ||` */ `imgverify ${name} ${url}/${name}.sig || goto again`,
      )
    : [];
  return [
    "#!ipxe",
    "imgfree ||",
    `kernel ${url}/vmlinuz initrd=initrd.img ${toldServer(kind, server)}${digest} || goto again`,
    `initrd ${url}/initrd.img || goto again`,
    ...verified,
    "boot || goto again",
    ...askAgain(self),
  ].join("\n");
}
