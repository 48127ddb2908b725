// The simulated fleet that belongs to the data: the database holds its hosts, serial numbers and BMC addresses, so the next start must simulate the same fleet.
import { freePort } from "../supervise/ports.mjs";
import { readState, writeState } from "../state-file.mjs";
import { UsageError } from "../start-options.mjs";

/**
 * @typedef {{ hosts: number, seed: number, port: number, bootCards?: boolean }} Fleet `port` is the simulator's; `bootCards`: some machines have one (a fleet made before there were any stays without)
 */

export const defaultFleet = { hosts: 200, seed: 1 };

/**
 * @param {import("../folders.mjs").StateFiles} files
 * @param {Pick<import("../start-options.mjs").Options, "hosts" | "seed" | "empty">} wanted
 * @returns {Promise<Fleet | undefined>} undefined: no simulated fleet
 * @throws UsageError if the options do not match the data
 */
export async function chooseFleet(files, wanted) {
  const known = /** @type {Fleet | { hosts: 0 } | undefined} */ (readState(files.fleet));
  const elsewhere = "for another fleet use another folder: --data DIR";
  if (known !== undefined && "port" in known) {
    if (wanted.empty)
      throw new UsageError(`--empty: the data in ${files.folder} has a simulated fleet; ${elsewhere}`);
    if (wanted.seed !== undefined && wanted.seed !== known.seed) {
      throw new UsageError(
        `--seed ${wanted.seed}: the fleet in ${files.folder} was made with seed ${known.seed}; ${elsewhere}`,
      );
    }
    if (wanted.hosts !== undefined && wanted.hosts < known.hosts) {
      throw new UsageError(
        `--hosts ${wanted.hosts}: the fleet in ${files.folder} has ${known.hosts} hosts and can only grow; ${elsewhere}`,
      );
    }
    return remember(files, { ...known, hosts: wanted.hosts ?? known.hosts });
  }
  const staysEmpty = known !== undefined && wanted.hosts === undefined && wanted.seed === undefined;
  if (wanted.empty || staysEmpty) {
    writeState(files.fleet, { hosts: 0 });
    return undefined;
  }
  return remember(files, {
    hosts: wanted.hosts ?? defaultFleet.hosts,
    seed: wanted.seed ?? defaultFleet.seed,
    port: await freePort(),
    bootCards: true,
  });
}

/**
 * @param {import("../folders.mjs").StateFiles} files
 * @param {Fleet} fleet
 */
function remember(files, fleet) {
  writeState(files.fleet, fleet);
  return fleet;
}
