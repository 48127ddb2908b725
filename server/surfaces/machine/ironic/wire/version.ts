// Microversions of the Ironic API: what a request asks for, and what we serve (docs/api-ironic.md#versions-and-errors).
import type { IncomingHttpHeaders } from "node:http";

/** The minor number N of version 1.N. Every version has the major number 1. */
export type Microversion = number;

export const oldest: Microversion = 1;
export const newest: Microversion = 112;

export const versionHeader = "x-openstack-ironic-api-version";

/** Sent with every answer below `/v1`, unless the version is unreadable. */
export const rangeHeaders = {
  "x-openstack-ironic-api-minimum-version": `1.${oldest}`,
  "x-openstack-ironic-api-maximum-version": `1.${newest}`,
} as const;

export type Negotiated =
  | { readonly ok: true; readonly version: Microversion }
  /** `readable`: it was a version, but not one of ours. The answer then includes the range. */
  | { readonly ok: false; readonly readable: boolean; readonly message: string };

/** The version in `OpenStack-API-Version`, which may name several services. The last one for `baremetal` counts. */
function ofService(header: string | undefined): string | undefined {
  const words = header?.split(",").map((part) => part.trim().split(/\s+/)) ?? [];
  return words.findLast(([service]) => service?.toLowerCase() === "baremetal")?.[1];
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(",") : value;

/** The version to serve. Without a header it is 1.1; `latest` is our newest. A version that we do not have is an error, and is never replaced by a near one. */
export function negotiate(headers: IncomingHttpHeaders): Negotiated {
  const asked = ofService(textOf(headers["openstack-api-version"])) ?? textOf(headers[versionHeader]);
  if (asked === undefined) return { ok: true, version: oldest };
  if (asked.toLowerCase() === "latest") return { ok: true, version: newest };
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(asked);
  if (match === null)
    return { ok: false, readable: false, message: "Invalid value for X-OpenStack-Ironic-API-Version header" };
  const minor = Number(match[2]);
  if (Number(match[1]) === 1 && minor >= oldest && minor <= newest) return { ok: true, version: minor };
  return {
    ok: false,
    readable: true,
    message: `Version ${asked} was requested by the client, but the supported versions are: minimum 1.${oldest}, maximum 1.${newest}.`,
  };
}
