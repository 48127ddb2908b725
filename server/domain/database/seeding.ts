// Whether `npm start` may put demo data into a database: only into an empty one, or one that it made itself (docs/adr/0018-what-a-database-knows-of-itself.md).

/** What `npm start` has made in a database: people and a site, or a simulated fleet besides. */
export type DemoMarker = "people" | "fleet";

export interface DatabaseContent {
  /** Null: not made by `npm start`. */
  readonly marker: DemoMarker | null;
  readonly sites: number;
  readonly people: number;
  readonly hosts: number;
  /** Whether a network controller is set up with another token than that of the fleet that would be seeded. */
  readonly otherFleet: boolean;
}

export type Seeding =
  | { readonly kind: "seed"; readonly marker: DemoMarker }
  /** It has its own people and sites: it is served as it is. */
  | { readonly kind: "leave" }
  | { readonly kind: "refuse"; readonly message: string };

const refuse = (message: string): Seeding => ({ kind: "refuse", message });
const ways = "Use another database or another folder (--data DIR)";

/** @param fleet whether a simulated fleet is to go in, too */
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
