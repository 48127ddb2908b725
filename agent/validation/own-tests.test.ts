// What a site's tests report about a network card.
import { expect, it } from "vitest";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { playBack, printing, treeOf } from "@/agent/tools/machine/testing/recorded";
import { networkLoopback } from "@/agent/validation/own-tests";

const card = treeOf(
  {
    "/sys/class/net/eth0/type": "1\n",
    "/sys/class/net/eth0/address": "52:54:00:12:34:56\n",
    "/sys/class/net/eth0/carrier": "1\n",
  },
  { "/sys/class/net/eth0/device": "/sys/devices/pci0000:00/0000:00:02.0/virtio0" },
);

it("a card whose driver has no test has not passed: the message names it, and says what to do", async () => {
  const { passed, message } = await networkLoopback(await machineTools(playBack, card));
  expect(passed).toBe(false);
  expect(message).toMatch(/^eth0: .*ethtool --test eth0 online answered 74: not offered by the driver\. /);
  expect(message).toContain("leave network-loopback out of the site's validation tests");
});

it("a card that fails its own test gets no such advice, and one that passes passes", async () => {
  const run = (words: string) => machineTools(printing(`The test result is ${words}\n`), card);
  expect(await networkLoopback(await run("FAIL"))).toMatchObject({ passed: false });
  expect((await networkLoopback(await run("FAIL"))).message).not.toContain("leave");
  expect(await networkLoopback(await run("PASS"))).toMatchObject({ passed: true });
});
