// `GET /v1/nodes/{ident}/validate`: what each interface of a node lacks (docs/api-ironic.md#validation-drivers-conductors-allocations).
import type { FastifyInstance } from "fastify";
import { interfaceNames } from "@/server/domain/hosts/nodes/node-values";
import type { InterfaceName } from "@/server/domain/hosts/nodes/node-values";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { stepCodeOf } from "@/server/hardware/registry";
import { readInterfaceFacts, type InterfaceFacts } from "@/server/usecases/hosts/nodes/reading/node-hardware";
import { validateNetwork } from "@/server/usecases/hosts/network/validate-network";
import { ironicRequest, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { driverOf } from "@/server/surfaces/machine/ironic/drivers/driver-table";
import { findNode, noNode } from "@/server/surfaces/machine/ironic/nodes/find-node";
import { nodePath } from "@/server/surfaces/machine/ironic/nodes/node-routes";
import { valueOf } from "@/server/surfaces/machine/ironic/wire/errors";
import { readQuery } from "@/server/surfaces/machine/ironic/wire/query";

/** `result` null: the interface is not supported. */
interface Validation {
  readonly result: boolean | null;
  readonly reason?: string;
}

const ok: Validation = { result: true };
const unsupported: Validation = { result: null, reason: "not supported" };
const lacks = (reason: string): Validation => ({ result: false, reason });

/** What the BMC needs and was not given. */
function missingOfBmc(facts: InterfaceFacts): Validation {
  const missing = [
    ...(facts.bmcAddress === null ? ["redfish_address"] : []),
    ...(facts.bmcUsername === null ? ["redfish_username"] : []),
    ...(facts.hasPassword ? [] : ["redfish_password"]),
  ];
  return missing.length === 0
    ? ok
    : lacks(`Missing the following information in driver_info: ${missing.join(", ")}`);
}

/**
 * What is wrong, by interface. BIOS, firmware and RAID are supported if a step has code for this hardware.
 * @param network what keeps the node from its networks; null: nothing
 */
function validate(facts: InterfaceFacts, network: string | null): Readonly<Record<string, Validation>> {
  const code = stepCodeOf(facts.hardwareType);
  const driver = driverOf(facts.hardwareType);
  if (code === null || driver === undefined)
    return Object.fromEntries(
      interfaceNames.map((name) => [
        name.replace("_interface", ""),
        lacks(`this version of Reclaim has no driver ${facts.hardwareType}`),
      ]),
    );
  const bmc = isFake(facts) ? ok : missingOfBmc(facts);
  const withCode = (name: string): Validation =>
    [...code].some((step) => step.startsWith(`${name}.`)) ? bmc : unsupported;
  const boot =
    isFake(facts) || facts.macs > 0
      ? bmc
      : lacks(
          "The node has no port: nothing is known that it could boot by. Its BMC is asked for its network cards in verifying.",
        );
  const rules: Readonly<Record<InterfaceName, Validation>> = {
    power_interface: bmc,
    management_interface: bmc,
    bios_interface: withCode("bios"),
    firmware_interface: withCode("firmware"),
    raid_interface: withCode("raid"),
    boot_interface: boot,
    network_interface: network === null ? ok : lacks(network),
    storage_interface: ok,
    console_interface: unsupported,
    // The agent runs the steps of this interface once it has booted.
    deploy_interface: boot,
    inspect_interface: bmc,
    rescue_interface: unsupported,
    vendor_interface: unsupported,
  };
  return Object.fromEntries(interfaceNames.map((name) => [name.replace("_interface", ""), rules[name]]));
}

export function validateRoutes(app: FastifyInstance, deps: IronicDeps): void {
  app.get("/nodes/:ident/validate", async (request, reply) => {
    const { actor, version } = ironicRequest(request);
    readQuery(request, []);
    const { hostId } = await findNode(deps, actor, nodePath.parse(request.params).ident, version);
    const facts = await readInterfaceFacts(deps.pool, hostId);
    if (facts === null) throw noNode(hostId);
    // A fake host has nothing to connect.
    const network = isFake(facts) ? null : valueOf(await validateNetwork(deps.backend, actor, { hostId }));
    return reply.send(validate(facts, network));
  });
}
