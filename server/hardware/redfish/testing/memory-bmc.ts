// A BMC in memory for tests that read very many trees: resources by path, without a connection.
import type { Reads, Replied } from "@/server/hardware/redfish/client/client";
import { answeredError, failure } from "@/server/hardware/redfish/client/errors";
import { Gather } from "@/server/hardware/redfish/inventory/gather";
import { clientForTests, within } from "@/server/hardware/redfish/testing/setup";

/** Resources by path. A number is a status without content, `lost` is no answer. */
export type Resources = ReadonlyMap<string, unknown>;

const { client } = clientForTests();

function reply(path: string, found: unknown): Replied {
  const line = { method: "GET", path, purpose: "read" } as const;
  if (found === "lost") return failure("unreachable", `GET ${path} got no answer`);
  const status = found === undefined ? 404 : typeof found === "number" ? found : 200;
  if (status !== 200) return answeredError(line, { status, text: "" });
  return {
    ok: true,
    answer: { status, body: found, etag: null, bmcTime: null, location: null },
  };
}

/** Gathers of one call to a BMC with these resources, which expands nothing. `seen` has the paths that were read. */
export function gathersOver(resources: Resources): {
  readonly newGather: () => Gather;
  readonly seen: readonly string[];
} {
  const begun = client.begin(
    {
      hostId: "host-1",
      address: "http://bmc-in-memory.localhost:1",
      username: "root",
      password: "calvin-1",
      links: null,
      powerState: null,
    },
    within,
  );
  if (!begun.ok) throw new Error(begun.error.message);
  begun.call.bmc.expand = null;
  const seen: string[] = [];
  const reads: Reads = {
    settings: client.settings,
    serviceRoot: () => Promise.resolve(failure("unsupported", "it has no service root")),
    get: (_call, path) => {
      seen.push(path);
      return Promise.resolve(reply(path, resources.get(path.split("?")[0] ?? path)));
    },
  };
  return { newGather: () => new Gather(reads, begun.call), seen };
}
