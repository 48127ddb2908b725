// Which version a request gets.
import { describe, expect, it } from "vitest";
import { negotiate, newest } from "@/server/surfaces/machine/ironic/wire/version";

describe("negotiate", () => {
  it.each([
    ["no header", {}, 1],
    ["a version", { "x-openstack-ironic-api-version": "1.78" }, 78],
    ["our newest", { "x-openstack-ironic-api-version": "1.112" }, 112],
    ["latest", { "x-openstack-ironic-api-version": "LATEST" }, newest],
    ["the newer header", { "openstack-api-version": "baremetal 1.50" }, 50],
    [
      "the newer header beside the older",
      { "openstack-api-version": "baremetal 1.50", "x-openstack-ironic-api-version": "1.78" },
      50,
    ],
    [
      "the newer header for several services",
      { "openstack-api-version": "compute 2.1, baremetal 1.9, Baremetal latest" },
      newest,
    ],
    [
      "the newer header for another service",
      { "openstack-api-version": "compute 2.90", "x-openstack-ironic-api-version": "1.5" },
      5,
    ],
  ] as const)("%s", (_what, headers, version) => expect(negotiate(headers)).toEqual({ ok: true, version }));

  it.each(["1.0", "1.113", "1.999999999", "0.1", "2.1"])("%s is a version that is not served", (text) => {
    expect(negotiate({ "x-openstack-ironic-api-version": text })).toMatchObject({
      ok: false,
      readable: true,
      message: expect.stringContaining(text),
    });
  });

  it.each(["", "1", "1.", "1.2.3", "v1.2", "one", "1.-1", "1.1e1", "1.9999999999"])("%o is none", (text) => {
    expect(negotiate({ "x-openstack-ironic-api-version": text })).toMatchObject({
      ok: false,
      readable: false,
    });
  });
});
