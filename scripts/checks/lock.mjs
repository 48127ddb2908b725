// Every optional package for every platform must be in the lock file: if the registry lacked one, `npm ci` fails or a platform lacks its programs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";

/**
 * @param {Record<string, { optionalDependencies?: Record<string, string> }>} packages of package-lock.json
 * @returns {string[]}
 */
export function missingFromLock(packages) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places(path, name).some((place) => place in packages))
      .map((name) => `${path || "package.json"} wants ${name}, which package-lock.json does not have`),
  );
}

/**
 * Where Node would look for a package: next to the package that requires it, then outwards.
 * @param {string} path
 * @param {string} name
 */
function places(path, name) {
  const found = [`${path === "" ? "" : `${path}/`}node_modules/${name}`];
  for (let at = path; at.includes("node_modules/");) {
    at = at.slice(0, at.lastIndexOf("node_modules/"));
    found.push(`${at}node_modules/${name}`);
  }
  return found;
}

/** @returns {{ problems: string[], summary: string }} */
export function checkLock() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const problems = missingFromLock(packages);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (!/^\d/.test(String(version))) problems.push(`${name}: "${version}" is not one exact version`);
    if (packages[`node_modules/${name}`]?.version !== version)
      problems.push(`${name} ${version} is not what package-lock.json has`);
  }
  return { problems, summary: `${Object.keys(packages).length} packages` };
}
