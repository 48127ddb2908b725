// Runs the Python and Ansible examples of docs/api-ironic.md as written, with the real openstacksdk and openstack.cloud.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../folders.mjs";

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */
/** @typedef {{ name: string, env: Environment, version: string }} Packages */

/** Debian's own Python: another one on the PATH has none of Debian's packages. */
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
/** Where `unpack-clients.sh` put packages newer than the system's. */
const unpacked = process.env["RECLAIM_IRONIC_CLIENTS"];
const unpackedPath = unpacked === undefined ? undefined : join(unpacked, "usr/lib/python3/dist-packages");

/**
 * @param {string} command @param {readonly string[]} args @param {Environment} env
 * @returns {Promise<{ code: number, said: string }>} code -1 if there is no such command
 */
function run(command, args, env) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      env: /** @type {NodeJS.ProcessEnv} */ (env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (said += text));
    child.once("error", (error) => done({ code: -1, said: error.message }));
    child.once("close", (code) => done({ code: code ?? -1, said }));
  });
}

const plain = { PATH: process.env["PATH"], HOME: process.env["HOME"], LANG: "C.UTF-8", no_proxy: "*" };
const newer = { ...plain, PYTHONPATH: unpackedPath, ANSIBLE_COLLECTIONS_PATH: unpackedPath };

/** @param {string} name @param {Environment} env @returns {Promise<Packages | null>} */
async function sdkIn(name, env) {
  const { code, said } = await run(
    python,
    ["-c", "import openstack; print(openstack.version.__version__)"],
    env,
  );
  return code === 0 ? { name, env, version: said.trim() } : null;
}

/** What the examples run with; a text says what to install. @returns {Promise<{ sdks: readonly Packages[], ansible: Packages } | string>} */
export async function documentedClients() {
  const [own, given] = await Promise.all([
    sdkIn("openstacksdk", plain),
    unpackedPath === undefined ? null : sdkIn("openstacksdk, unpacked", newer),
  ]);
  const sdks = [own, given].flatMap((each) => (each === null ? [] : [each]));
  const newest = sdks.at(-1);
  if (newest === undefined)
    return "The package openstacksdk is not here. On Debian: apt-get install python3-openstacksdk";
  const { code, said } = await run("ansible-doc", ["-t", "module", "-l", "openstack.cloud"], newest.env);
  if (code !== 0 || !said.includes("baremetal_node_action"))
    return `The command ansible-playbook and its collection openstack.cloud 2 are not here. On Debian: apt-get install ansible-core python3-typing-extensions python3-platformdirs python3-psutil, then scripts/testing/ironic/unpack-clients.sh FOLDER and RECLAIM_IRONIC_CLIENTS=FOLDER. (${said.trim().slice(0, 300)})`;
  return { sdks, ansible: newest };
}

/** The blocks of a language in docs/api-ironic.md. @param {string} language */
function examplesIn(language) {
  const page = readFileSync(join(root, "docs/api-ironic.md"), "utf8");
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(
    ([, text]) => text ?? "",
  );
  if (blocks.length === 0) throw new Error(`docs/api-ironic.md has no example in ${language}`);
  return blocks;
}

/**
 * @param {{ sdks: readonly Packages[], ansible: Packages }} clients
 * @param {{ url: string, folder: string, login: { email: string, password: string } }} system
 * @returns {[string, () => Promise<void>][]}
 */
export function documented({ sdks, ansible }, { url, folder, login }) {
  const [clouds, ...playbooks] = examplesIn("yaml");
  const cloudsFile = join(folder, "clouds.yaml");
  // The page's own file, with this system's URL and account.
  const values = { endpoint: url, username: login.email, password: login.password };
  writeFileSync(
    cloudsFile,
    (clouds ?? "").replace(
      /(endpoint|username|password): .*/g,
      (_line, /** @type {keyof typeof values} */ key) => `${key}: ${JSON.stringify(values[key])}`,
    ),
    { mode: 0o600 },
  );
  const ok = async (
    /** @type {string} */ command,
    /** @type {string[]} */ args,
    /** @type {Environment} */ env,
  ) => {
    const { code, said } = await run(command, args, {
      ...env,
      OS_CLIENT_CONFIG_FILE: cloudsFile,
      ANSIBLE_PYTHON_INTERPRETER: python,
    });
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.trim().slice(-3_000)}`);
  };
  const example = (/** @type {string} */ name, /** @type {string} */ text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return [
    ...sdks.flatMap(({ name, version, env }) =>
      examplesIn("python").map(
        (text, index) =>
          /** @type {[string, () => Promise<void>]} */ ([
            `${name} ${version}: example ${index + 1} of the documentation`,
            () => ok(python, [example(`example-${index}.py`, text)], env),
          ]),
      ),
    ),
    ...playbooks.map(
      (text, index) =>
        /** @type {[string, () => Promise<void>]} */ ([
          `Ansible with openstacksdk ${ansible.version}: playbook ${index + 1} of the documentation`,
          () =>
            ok("ansible-playbook", ["-i", "localhost,", example(`playbook-${index}.yml`, text)], ansible.env),
        ]),
    ),
  ];
}
