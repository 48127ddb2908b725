// The parts that all resources of the test machine's BMC are made of (DMTF DSP0266).

export const root = "/redfish/v1";
export const system = `${root}/Systems/1`;

export const link = (/** @type {string} */ path) => ({ "@odata.id": path });

/** A collection. @param {readonly string[]} paths */
export const list = (paths) => ({
  Members: paths.map(link),
  "Members@odata.count": paths.length,
});

export const ok = { State: "Enabled", Health: "OK" };
