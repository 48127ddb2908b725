// How the agent finds its server.
import { expect, it } from "vitest";
import { bootOptions } from "@/agent/boot-options";

const booted = "initrd=initrd.img reclaim.server=https://reclaim.example/a reclaim.ca=/etc/ca.pem quiet";
it.each([
  [[], booted, "https://reclaim.example/a", "/etc/ca.pem"],
  [["--server", "http://10.0.2.2:8080"], booted, "http://10.0.2.2:8080/", "/etc/ca.pem"],
  [["--server", "http://x", "--authorities", "/b.pem"], "", "http://x/", "/b.pem"],
])("reads %j and the kernel command line", (args, line, server, authorities) => {
  const options = bootOptions(args, line);
  expect([options?.server.href, options?.authorities]).toEqual([server, authorities]);
});
it.each([
  [[], ""],
  [["--server"], ""],
  [["--server", "reclaim.example"], ""],
  [["--server", "file:///etc"], ""],
  [[], "xreclaim.server=http://x"],
])("has no server in %j and %j", (args, line) => {
  expect(bootOptions(args, line)).toBeNull();
});
