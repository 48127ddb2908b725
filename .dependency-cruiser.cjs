// Who may import whom: imports go down the list app → surfaces, controller, agents → usecases → domain. Each rule says why.
const tests = "\\.(test|itest|spec)\\.tsx?$|(^|/)testing/";
const typesOnly = ["type-only"];

/** Folders of components that every noun is drawn with. */
const kit = "ui|frame|live|trpc";
/** What a noun folder offers to the other nouns. Everything else in it is its own. */
const entries = [
  "access/(use-access|use-passkey)",
  "assurance/(exceptions/host-exceptions|host-assurance)",
  "audit/(host-audit|self-audit/self-audit-notice)",
  "bulk-acts/bulk-dialog",
  "certificates/certificate-text",
  "custody/owner-section",
  "decommission/(accept-leftovers-dialog|decommission-dialog|leaving-section)",
  "demo/demo-menu",
  "drives/linked-drives",
  "enrolment/enrol-link",
  "erase-policy/erase-form",
  "foresight/(erase-foresight|policy-effect)",
  "health/health-tab",
  "host/(ask-text|reason-fields)",
  "instances/issue-fields",
  "inventory/(drive-dialog|inventory-tab)",
  "notices/(announce-notice|notice-list|current-notices)",
  "online-repair/online-repair",
  "plans/(builder|order|draft-notice|schema-field|take|take-section|use-draft|use-estimate)",
  "programs/(add-program|programs-page|program-fields)",
  "queue/(admission-section|limits-dialog|limits-table)",
  "reclamations/(gates-tab|gates-table|history-tab|history-tables|reclamation-labels|reclamation-tab)",
  "reclamations/step-runs/(attempt-cells|opener|runs-table)",
  "repair/repair-tab",
  "runbooks/(runbook-dialogs|runbook-text)",
  "tickets/(host-tickets|open-ticket)",
  "settings/(change-list|no-site|settings-head|use-settings)",
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

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const controllerRooms = decidingRooms.map((room, place) => ({
  name: `controller-${room}-looks-down`,
  comment: "A room that can be read with only what is below it in mind.",
  severity: "error",
  from: { path: `^server/controller/${room}/`, pathNot: tests },
  to: {
    path: "^server/controller/",
    pathNot: `^server/controller/(${decidingRooms.slice(0, place + 1).join("|")})/`,
  },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Files that need each other cannot be read, tested or moved alone.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: typesOnly } },
    },
    {
      name: "resolves",
      comment:
        "An import that leads nowhere fails when it runs, and hides whatever rule it would have broken.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-drawer",
      comment:
        "A folder called utils, helpers, common or lib says nothing about what is in it, so everything ends up there.",
      severity: "error",
      from: {},
      to: { path: "(^|/)(utils|helpers|common|lib)/", pathNot: "^node_modules/" },
    },
    {
      name: "declared-packages",
      comment: "A package that package.json does not name is there by accident, and goes by accident.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-tests-in-programs",
      comment: "What only tests need must not be in what runs.",
      severity: "error",
      from: { pathNot: [tests, "^(e2e|bench|scripts)/", "^[^/]+\\.config\\.ts$"] },
      to: { path: tests },
    },
    {
      name: "domain-is-pure",
      comment:
        "The rules have no I/O, no clock and no database, so that they can be tested as tables and used on every side. Zod is how their tables say what is valid, yaml and csv-parse tell where in a text a fault is; node:crypto and canonicalize (RFC 8785) are arithmetic; pdfkit and uqr draw the same bytes each time.",
      severity: "error",
      from: { path: "^server/domain/", pathNot: tests },
      to: {
        pathNot: [
          "^server/domain/",
          "^node_modules/(zod|canonicalize|yaml|csv-parse|pdfkit|uqr|@types/pdfkit)/",
          "^(node:)?crypto$",
        ],
      },
    },
    {
      name: "contract-is-words",
      comment:
        "What can be asked and what is answered is said in the words of the domain, so that the server, the command and every description of it can read it.",
      severity: "error",
      from: { path: "^server/contract/", pathNot: tests },
      to: { pathNot: ["^server/(contract|domain)/", "^node_modules/zod/"] },
    },
    {
      name: "usecases-on-domain-and-db",
      comment:
        "An act checks access, reads, decides, writes and audits. Hardware and networks answer later, to the controller.",
      severity: "error",
      from: { path: "^server/usecases/", pathNot: tests },
      to: {
        path: "^(app|components|agent|cli|bench|server)/",
        pathNot: "^server/(usecases|contract|domain|db|process)/",
      },
    },
    {
      name: "db-below-usecases",
      comment: "The database layer knows the words of the domain and nothing of who uses it.",
      severity: "error",
      from: { path: "^server/db/", pathNot: tests },
      to: { path: "^(app|components|agent|cli|bench|server)/", pathNot: "^server/(db|domain|process)/" },
    },
    {
      name: "process-state-knows-types",
      comment:
        "What a process has one of is made by its owners. The place where it is kept names their types, and runs nothing of theirs.",
      severity: "error",
      from: { path: "^server/process/", pathNot: tests },
      to: { path: "^(app|components|agent|cli|bench|server)/", dependencyTypesNot: typesOnly },
    },
    {
      name: "hardware-below-controller",
      comment: "Adapters turn calls into protocols; decisions and rows are the controller's.",
      severity: "error",
      from: { path: "^server/hardware/", pathNot: tests },
      to: { path: "^(app|components|agent|cli|bench|server)/", pathNot: "^server/(hardware|domain)/" },
    },
    {
      name: "evidence-below-controller",
      comment: "Evidence is made from what has happened; it starts nothing.",
      severity: "error",
      from: { path: "^server/evidence/", pathNot: tests },
      to: { path: "^(app|components|agent|cli|bench|server)/", pathNot: "^server/(evidence|domain|db)/" },
    },
    {
      name: "upper-server-rooms",
      comment:
        "Surfaces, controller, agents and jobs use what is below them. The server never reaches up into pages or programs.",
      severity: "error",
      from: { path: "^server/(surfaces|controller|agents|jobs)/", pathNot: tests },
      to: { path: "^(app|components|agent|cli|bench)/|^server/(main|simulator)" },
    },
    {
      name: "surfaces-hold-no-sql",
      comment:
        "Queries, and who may see which rows, are use cases: a surface that reads by itself decides both again, for its own clients alone.",
      severity: "error",
      from: { path: "^server/surfaces/", pathNot: tests },
      to: { path: "^server/db/|^node_modules/(pg|@prisma)/" },
    },
    {
      name: "controller-serves-no-one",
      comment:
        "The controller takes its input from rows, so that any number of processes can run it; a surface never calls it and it never calls a surface.",
      severity: "error",
      from: { path: "^server/controller/", pathNot: tests },
      to: { path: "^server/(surfaces|jobs)/" },
    },
    ...controllerRooms,
    {
      name: "controller-effects-look-down",
      comment: "An effect is carried out as it was written down; what it should be is decided elsewhere.",
      severity: "error",
      from: { path: "^server/controller/effects/", pathNot: tests },
      to: { path: "^server/controller/", pathNot: "^server/controller/(effects|host)/" },
    },
    {
      name: "decisions-are-pure",
      comment: "A decision rests on the view alone, so that it can be tested as a table and explored.",
      severity: "error",
      from: { path: `^server/controller/(${decidingRooms.join("|")})/`, pathNot: tests },
      to: {
        path: "^server/",
        pathNot: ["^server/(controller|domain)/", "^server/hardware/interfaces\\.ts$"],
        dependencyTypesNot: typesOnly,
      },
    },
    {
      name: "nobody-knows-the-simulator",
      comment:
        "Simulated hardware is reached over HTTP like any other. Code that can import it will sooner or later depend on it.",
      severity: "error",
      from: { pathNot: "^server/simulator/" },
      to: { path: "^server/simulator/", pathNot: "^server/simulator/trees/" },
    },
    {
      name: "captures-are-for-tests",
      comment:
        "The captured trees are data: besides the simulator only tests of the hardware layer answer from them.",
      severity: "error",
      from: { pathNot: `^server/simulator/|${tests}` },
      to: { path: "^server/simulator/trees/" },
    },
    {
      name: "simulator-is-hardware",
      comment:
        "The simulator stands for machines: it runs the agent's program and knows the shared vocabulary, but no database and no server code.",
      severity: "error",
      from: { path: "^server/simulator/", pathNot: tests },
      to: {
        path: "^(app|components|cli|bench|server)/|^node_modules/(pg|@prisma)/",
        pathNot: "^server/(simulator|domain|config)",
      },
    },
    {
      name: "agent-is-alone",
      comment:
        "The agent runs on hosts, without the server. It shares the protocol and the tables with it, and nothing else.",
      severity: "error",
      from: { path: "^agent/", pathNot: tests },
      to: { path: "^(app|components|cli|bench|server|scripts)/", pathNot: "^server/domain/" },
    },
    {
      name: "components-know-words-only",
      comment:
        "What people see is drawn from what it is given: types and tables of the domain, and the types of what a procedure answers.",
      severity: "error",
      from: { path: "^components/", pathNot: tests },
      to: {
        path: "^(app|agent|cli|bench|server|scripts)/",
        pathNot: ["^server/(contract|domain)/", "^server/surfaces/trpc/types\\.ts$"],
      },
    },
    {
      name: "components-take-types-only",
      comment: "Code of the server must not reach the browser.",
      severity: "error",
      from: { path: "^components/", pathNot: tests },
      to: { path: "^server/(usecases|surfaces)/", dependencyTypesNot: typesOnly },
    },
    {
      name: "nouns-keep-their-insides",
      comment:
        "A folder of components is one noun. What it offers to other nouns is in the list of entries; its other files can change without a look at them.",
      severity: "error",
      from: { path: "^components/([^/]+)/", pathNot: tests },
      to: {
        path: "^components/",
        pathNot: [`^components/($1|${kit})/`, `^components/(${entries.join("|")})\\.tsx?$`],
      },
    },
    {
      name: "pages-fetch-and-compose",
      comment: "No rules live in a page: it asks the surfaces and arranges components.",
      severity: "error",
      from: { path: "^app/|^proxy\\.ts$", pathNot: tests },
      to: { path: "^(agent|cli|bench|scripts)/|^server/", pathNot: ["^server/(surfaces|domain)/"] },
    },
    {
      name: "pages-ask-the-server-program",
      comment:
        "Next bundles what a page imports, once for each route. The server's code is in the server program, and pages find it by consoleServer() (docs/adr/0117-console-code-once.md).",
      severity: "error",
      from: { path: "^app/|^proxy\\.ts$", pathNot: tests },
      to: {
        path: "^server/surfaces/",
        pathNot: "^server/surfaces/console/console-port\\.ts$",
        dependencyTypesNot: typesOnly,
      },
    },
    {
      name: "pages-are-the-top",
      comment: "Pages are routes; what two of them share is a component.",
      severity: "error",
      from: { pathNot: "^(app/|proxy\\.ts$|e2e/)" },
      to: { path: "^app/" },
    },
    {
      name: "cli-is-a-client",
      comment:
        "The command talks to the API as everybody else does. It knows the words of the domain, and the types of the procedures.",
      severity: "error",
      from: { path: "^cli/", pathNot: tests },
      to: {
        path: "^(app|components|agent|bench|server|scripts)/",
        pathNot: ["^server/(contract|domain)/", "^server/surfaces/trpc/types\\.ts$"],
      },
    },
    {
      name: "cli-takes-types-only",
      comment: "Code of the server in the command would be a second way to do what the API does.",
      severity: "error",
      from: { path: "^cli/", pathNot: tests },
      to: { path: "^server/surfaces/", dependencyTypesNot: typesOnly },
    },
    {
      name: "nobody-calls-the-cli",
      comment:
        "The command is for people and their scripts; what two programs share is a rule of the domain or a use case.",
      severity: "error",
      from: { pathNot: "^cli/" },
      to: { path: "^cli/" },
    },
    {
      name: "main-starts-things",
      comment: "The entry of the process puts its parts together and has none of their work.",
      severity: "error",
      from: { path: "^server/main\\.ts$" },
      to: { path: "^(app|components|agent|cli|bench|scripts)/|^server/(simulator|domain|usecases)/" },
    },
    {
      name: "programs-know-no-scripts",
      comment: "Scripts start programs; only the set-up of tests shares code with them.",
      severity: "error",
      from: { path: "^(app|components|server|agent|cli|prisma)/", pathNot: tests },
      to: { path: "^scripts/" },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^server/db/generated/"] },
    exclude: { path: ["^\\.next/", "^dist/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".css"],
      mainFields: ["module", "main", "types"],
    },
  },
};
