// Who may import whom: imports go down the list app → surfaces, controller, agents → usecases → domain. Each rule says why.

/**
 * An import that a rule forbids. `path` and `pathNot` are patterns of paths relative to the checkout; a package is `node_modules/<import>/`, a module of
 * Node its name. `$1` in a pattern of `to` is what the first group of `from.path` has matched.
 * @typedef {{
 *   name: string,
 *   comment: string,
 *   from: { path?: string, pathNot?: string | readonly string[] },
 *   to: {
 *     path?: string,
 *     pathNot?: string | readonly string[],
 *     typesToo?: false,
 *     is?: "in a cycle" | "unresolved" | "undeclared",
 *   },
 * }} ImportRule `typesToo: false`: imports of types alone are allowed
 */

const tests = "\\.(test|itest|spec)\\.tsx?$|(^|/)testing/";

/** Folders of components that every noun is drawn with. */
const kit = "ui|frame|live|trpc";
/** What a noun folder offers to the other nouns. Everything else in it is its own. */
const entries = [
  "access/(use-access|use-passkey)",
  "access/security-events/host-security",
  "assurance/(decide-dialog|host-assurance|standing)",
  "assurance/certificates/certificate-text",
  "assurance/exceptions/host-exceptions",
  "assurance/proof/signed-file",
  "audit-log/host-audit",
  "audit-log/self-audit/self-audit-notice",
  "break-fix/notices/current-notices",
  "break-fix/tickets/(host-tickets|open-ticket)",
  "cleaning/policy/(effect|policy-effect)",
  "cleaning/queue/(admission-section|limits-dialog|limits-table)",
  "demo/demo-menu",
  "hosts/bulk/bulk-dialog",
  "hosts/drives/linked-drives",
  "hosts/skus/sku-text",
  "instances/(instance-form|issue-fields)",
  "reclamations/(gates-tab|gates-table|history-tab|history-tables|reclamation-labels|reclamation-tab)",
  "reclamations/step-runs/(attempt-cells|opener|runs-table)",
  "repair/repair-tab",
  "repair/health/health-tab",
  "repair/online-repair/online-repair",
  "sites/(change-list|settings-head|use-settings)",
];

/** The rooms of the controller, each of which may import those before it. `loop` is above them all (docs/architecture.md#the-controller). */
const decidingRooms = [
  "host",
  "inventory",
  "network",
  "interruptions",
  "boot",
  "steps",
  "decommission",
  "handlers",
  "decide",
];

/** @type {ImportRule[]} */
const controllerRooms = decidingRooms.map((room, place) => ({
  name: `controller-${room}-looks-down`,
  comment: "A folder must be readable knowing only what is below it.",
  from: { path: `^server/controller/${room}/`, pathNot: tests },
  to: {
    path: "^server/controller/",
    pathNot: `^server/controller/(${decidingRooms.slice(0, place + 1).join("|")})/`,
  },
}));

/** @type {readonly ImportRule[]} */
export const importRules = [
  {
    name: "no-cycles",
    comment: "Files that need each other cannot be read, tested or moved alone.",
    from: {},
    to: { is: "in a cycle", typesToo: false },
  },
  {
    name: "resolves",
    comment: "An import that leads nowhere fails when it runs, and hides whatever rule it would have broken.",
    from: {},
    to: { is: "unresolved" },
  },
  {
    name: "no-drawer",
    comment:
      "A folder called utils, helpers, common or lib says nothing about what is in it, so everything ends up there.",
    from: {},
    to: { path: "(^|/)(utils|helpers|common|lib)/", pathNot: "^node_modules/" },
  },
  {
    name: "declared-packages",
    comment:
      "A package that package.json does not list is installed by accident and can disappear by accident.",
    from: {},
    to: { is: "undeclared" },
  },
  {
    name: "no-tests-in-programs",
    comment: "Code that only tests need must not be part of the running programs.",
    from: { pathNot: [tests, "^(e2e|bench|scripts)/", "^[^/]+\\.config\\.ts$"] },
    to: { path: tests },
  },
  {
    name: "domain-is-pure",
    comment:
      "The rules have no I/O, no clock and no database, so that they can be tested with tables and used everywhere. Zod defines what is valid; yaml and csv-parse report where in a text an error is; node:crypto, canonicalize (RFC 8785) and the ASN.1 packages are pure computation; pdfkit and uqr always produce the same bytes; github-slugger makes the anchor of a heading; fflate and saxes unpack and read the text of a workbook.",
    from: { path: "^server/domain/", pathNot: tests },
    to: {
      pathNot: [
        "^server/domain/",
        "^node_modules/(zod|canonicalize|yaml|csv-parse|pdfkit|uqr|github-slugger|fflate|saxes|@types/pdfkit|@peculiar/asn1-schema|@peculiar/asn1-x509)/",
        "^(node:)?crypto$",
      ],
    },
  },
  {
    name: "contract-is-words",
    comment:
      "Inputs and outputs are defined with domain types, so that the server, the command and every description of the API can use them.",
    from: { path: "^server/contract/", pathNot: tests },
    to: { pathNot: ["^server/(contract|domain)/", "^node_modules/zod/"] },
  },
  {
    name: "usecases-on-domain-and-db",
    comment:
      "An act checks access, reads, decides, writes and audits. Hardware and networks answer later; the controller handles that.",
    from: { path: "^server/usecases/", pathNot: tests },
    to: {
      path: "^(app|components|agent|cli|bench|server)/",
      pathNot: "^server/(usecases|contract|domain|db|process)/",
    },
  },
  {
    name: "db-below-usecases",
    comment: "The database layer knows domain types and nothing about its callers.",
    from: { path: "^server/db/", pathNot: tests },
    to: { path: "^(app|components|agent|cli|bench|server)/", pathNot: "^server/(db|domain|process)/" },
  },
  {
    name: "process-state-knows-nobody",
    comment: "Values that a process has once are declared and typed by their owners.",
    from: { path: "^server/process/", pathNot: tests },
    to: { path: "^(app|components|agent|cli|bench|server)/" },
  },
  {
    name: "hardware-below-controller",
    comment: "Adapters translate calls into protocols. Decisions and rows belong to the controller.",
    from: { path: "^server/hardware/", pathNot: tests },
    to: { path: "^(app|components|agent|cli|bench|server)/", pathNot: "^server/(hardware|domain)/" },
  },
  {
    name: "upper-server-rooms",
    comment:
      "Surfaces, controller, agents and jobs use what is below them. The server never reaches up into pages or programs.",
    from: { path: "^server/(surfaces|controller|agents|jobs)/", pathNot: tests },
    to: { path: "^(app|components|agent|cli|bench)/|^server/(main|simulator)" },
  },
  {
    name: "surfaces-hold-no-sql",
    comment:
      "Queries and access to rows belong in use cases. A surface that reads the database itself would duplicate both.",
    from: { path: "^server/surfaces/", pathNot: tests },
    to: { path: "^server/db/|^node_modules/(pg|@prisma)/" },
  },
  {
    name: "surfaces-act-through-use-cases",
    comment: "A surface calls use cases. It never calls the controller, which may run in another process.",
    from: { path: "^server/surfaces/", pathNot: tests },
    to: { path: "^server/controller/" },
  },
  {
    name: "controller-serves-no-one",
    comment:
      "The controller takes its input from rows, so that any number of processes can run it. It never calls a surface.",
    from: { path: "^server/controller/", pathNot: tests },
    to: { path: "^server/(surfaces|jobs)/" },
  },
  ...controllerRooms,
  {
    name: "controller-effects-look-down",
    comment: "An effect is carried out as recorded. What it should be is decided elsewhere.",
    from: { path: "^server/controller/effects/", pathNot: tests },
    to: { path: "^server/controller/", pathNot: "^server/controller/(effects|host)/" },
  },
  {
    name: "decisions-are-pure",
    comment: "A decision depends only on the view, so that it can be tested with tables and explored.",
    from: { path: `^server/controller/(${decidingRooms.join("|")})/`, pathNot: tests },
    to: {
      path: "^server/",
      pathNot: ["^server/(controller|domain)/", "^server/hardware/interfaces\\.ts$"],
      typesToo: false,
    },
  },
  {
    name: "nobody-knows-the-simulator",
    comment:
      "Simulated hardware is reached over HTTP like any other. Code that can import it will eventually depend on it.",
    from: { pathNot: "^server/simulator/" },
    to: { path: "^server/simulator/", pathNot: "^server/simulator/(trees|host/tpm|spdm)/" },
  },
  {
    name: "captures-are-for-tests",
    comment:
      "The captured trees are data, and the TPM and the components in software prove themselves to the rules of the server. Only the simulator and tests use them.",
    from: { pathNot: `^server/simulator/|${tests}` },
    to: { path: "^server/simulator/(trees|host/tpm|spdm)/" },
  },
  {
    name: "simulator-is-hardware",
    comment:
      "The simulator replaces machines. It runs the agent's program and uses the shared vocabulary, but no database and no server code.",
    from: { path: "^server/simulator/", pathNot: tests },
    to: {
      path: "^(app|components|cli|bench|server)/|^node_modules/(pg|@prisma)/",
      pathNot: "^server/(simulator|domain|config)",
    },
  },
  {
    name: "agent-is-alone",
    comment:
      "The agent runs on hosts, without the server. It shares only the protocol and the tables with the server.",
    from: { path: "^agent/", pathNot: tests },
    to: { path: "^(app|components|cli|bench|server|scripts)/", pathNot: "^server/domain/" },
  },
  {
    name: "components-know-words-only",
    comment:
      "Components render what they are given: domain types and tables, and the output types of procedures.",
    from: { path: "^components/", pathNot: tests },
    to: {
      path: "^(app|agent|cli|bench|server|scripts)/",
      pathNot: ["^server/(contract|domain)/", "^server/surfaces/trpc/types\\.ts$"],
    },
  },
  {
    name: "components-take-types-only",
    comment: "Code of the server must not reach the browser.",
    from: { path: "^components/", pathNot: tests },
    to: { path: "^server/(usecases|surfaces)/", typesToo: false },
  },
  {
    name: "nouns-keep-their-insides",
    comment:
      "A folder of components is one noun. Other nouns may import only its entry files, listed here. Its other files can change freely.",
    from: { path: "^components/([^/]+)/", pathNot: tests },
    to: {
      path: "^components/",
      pathNot: [`^components/($1|${kit})/`, `^components/(${entries.join("|")})\\.tsx?$`],
    },
  },
  {
    name: "pages-fetch-and-compose",
    comment: "A page contains no rules: it calls the surfaces and arranges components.",
    from: { path: "^app/|^proxy\\.ts$", pathNot: tests },
    to: { path: "^(agent|cli|bench|scripts)/|^server/", pathNot: ["^server/(surfaces|domain)/"] },
  },
  {
    name: "pages-ask-the-server-program",
    comment:
      "Next bundles what a page imports, once for each route. The server's code is in the server program, and pages find it by consoleServer() (docs/adr/0017-one-per-process.md).",
    from: { path: "^app/|^proxy\\.ts$", pathNot: tests },
    to: {
      path: "^server/surfaces/",
      pathNot: "^server/surfaces/console/console-port\\.ts$",
      typesToo: false,
    },
  },
  {
    name: "pages-are-the-top",
    comment: "Pages are routes. What two of them share belongs in a component.",
    from: { pathNot: "^(app/|proxy\\.ts$|e2e/)" },
    to: { path: "^app/" },
  },
  {
    name: "cli-is-a-client",
    comment:
      "The command uses the API like any other client. It may import domain types and the types of procedures. `bmc check` and `bmc record` ask a BMC themselves, from where the person is.",
    from: { path: "^cli/", pathNot: tests },
    to: {
      path: "^(app|components|agent|bench|server|scripts)/",
      pathNot: [
        "^server/(contract|domain)/",
        "^server/surfaces/trpc/types\\.ts$",
        "^server/hardware/redfish/(check/check-place|record/record-bmc)\\.ts$",
      ],
    },
  },
  {
    name: "cli-takes-types-only",
    comment: "Server code in the command would bypass the API.",
    from: { path: "^cli/", pathNot: tests },
    to: { path: "^server/surfaces/", typesToo: false },
  },
  {
    name: "nobody-calls-the-cli",
    comment:
      "The command is for people and their scripts. Code that two programs share is a domain rule or a use case.",
    from: { pathNot: "^cli/" },
    to: { path: "^cli/" },
  },
  {
    name: "main-starts-things",
    comment: "The entry point only wires parts together.",
    from: { path: "^server/main\\.ts$" },
    to: { path: "^(app|components|agent|cli|bench|scripts)/|^server/(simulator|domain|usecases)/" },
  },
  {
    name: "programs-know-no-scripts",
    comment: "Scripts start programs. Only test set-up shares code with them.",
    from: { path: "^(app|components|server|agent|cli|prisma)/", pathNot: tests },
    to: { path: "^scripts/" },
  },
];
