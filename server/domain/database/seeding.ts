// Whether `npm start` may add demo data to a database: only if it is empty or was made by `npm start` (docs/adr/0018-what-a-database-knows-of-itself.md).

/** What `npm start` has created in a database: people and a site, or a simulated fleet as well. */
export type DemoMarker = "people" | "fleet";

export interface DatabaseContent {
  /** Null: not created by `npm start`. */
  readonly marker: DemoMarker | null;
  readonly sites: number;
  readonly people: number;
  readonly hosts: number;
  /** A network controller is set up with a token other than that of the fleet to be seeded. */
  readonly otherFleet: boolean;
}

export type Seeding =
  | { readonly kind: "seed"; readonly marker: DemoMarker }
  /** It has its own people and sites, so it is served as it is. */
  | { readonly kind: "leave" }
  | { readonly kind: "refuse"; readonly message: string };

const refuse = (message: string): Seeding => ({ kind: "refuse", message });
const ways = "Use another database or another folder (--data DIR)";

/** @param fleet whether to add a simulated fleet as well */
export function seedingOf(content: DatabaseContent, fleet: boolean): Seeding {
  const { marker, sites, people, hosts, otherFleet } = content;
  // safety: start: no demo in a site that it did not make
  if (marker === null && sites + people + hosts > 0) {
    if (!fleet) return { kind: "leave" };
    return refuse(
      `The database has sites, people or hosts that npm start did not create, so no demo data is added. ${ways} for the demo, or start with --empty to serve this database without a simulated fleet.`,
    );
  }
  if (!fleet) return { kind: "seed", marker: marker ?? "people" };
  // safety: start: no fleet beside hosts of people
  if (marker === "people" && hosts > 0) {
    return refuse(
      `The database was made with --empty and already has ${hosts} hosts, so no simulated fleet is added. ${ways} for the demo, or start with --empty.`,
    );
  }
  // safety: start: not the fleet of another folder
  if (otherFleet)
    return refuse(
      `The database has the simulated fleet of another folder. Start with the --data folder that it was first started with. ${ways} for a second demo.`,
    );
  return { kind: "seed", marker: "fleet" };
}
