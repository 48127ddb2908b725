// The scripts of the boot server, run as iPXE runs them: only the first of them ever leads to a disk.
import { describe, expect, it } from "vitest";
import { bootFromDisk, imageScript, waitScript } from "@/server/agents/boot/scripts";
import { runIpxe } from "@/server/simulator/host/ipxe";

const self = "http://reclaim.test/boot/ipxe?uuid=1";
const image = { url: "http://images.test/1", sha256: null, signed: false, kind: "reclaim" } as const;

/** What is started with the image; `digest`: the end of its command line. */
const started = (digest: string) => ({
  kernel: `${image.url}/vmlinuz`,
  commandLine: `initrd=initrd.img reclaim.server=http://reclaim.test${digest}`,
  initrd: `${image.url}/initrd.img`,
});

/** Runs until the script ends, or has paused `most` times. */
async function run(
  script: string,
  loads: (count: number) => string | null = () => null,
  most = 5,
  verifies: (name: string) => boolean = () => true,
) {
  const stop = new AbortController();
  const loaded: string[] = [];
  let pauses = 0;
  const end = await runIpxe(script, {
    signal: stop.signal,
    verifies,
    load: async (url) => (loaded.push(url), loads(loaded.length)),
    pause: async () => void ((pauses += 1) >= most && stop.abort()),
  });
  return { end: stop.signal.aborted ? "still there" : end, loaded, pauses };
}

describe("a boot script", () => {
  it("of the disk ends with the next boot device", async () => {
    expect((await run(bootFromDisk)).end).toBe("nextDevice");
  });

  it("that waits asks again and again, though nobody answers, and goes on when it may", async () => {
    expect(await run(waitScript(self))).toMatchObject({
      end: "still there",
      pauses: 5,
      loaded: [self, self, self, self],
    });
    expect(
      await run(waitScript(self), (count) =>
        count < 3 ? waitScript(self) : imageScript(image, "http://reclaim.test", self),
      ),
    ).toMatchObject({ end: started(""), pauses: 3 });
  });

  it("that no longer waits for a host that is not held leads to the disk", async () => {
    expect(await run(waitScript(self), () => bootFromDisk)).toMatchObject({ end: "nextDevice" });
  });

  it("of a signed image starts it only with signatures that fit; else it asks again, and never leads to a disk", async () => {
    const signed = imageScript({ ...image, signed: true }, "http://reclaim.test", self);
    expect((await run(signed)).end).toEqual(started(""));
    for (const wrong of ["vmlinuz", "initrd.img"])
      expect(
        await run(
          signed,
          () => signed,
          5,
          (name) => name !== wrong,
        ),
      ).toMatchObject({ end: "still there", pauses: 5 });
  });

  it("of an image starts it", async () => {
    expect((await run(imageScript(image, "http://reclaim.test", self))).end).toEqual(started(""));
    const sha256 = "ab".repeat(32);
    expect((await run(imageScript({ ...image, sha256 }, "http://reclaim.test", self))).end).toEqual(
      started(` reclaim.initrd_sha256=${sha256}`),
    );
  });
});
