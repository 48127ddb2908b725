// The maker of simulated components (GPUs, network cards) as a certificate authority, and the certificates of each component.
import type { KeyObject } from "node:crypto";
import {
  authorityPlan,
  certificateDer,
  commonNamed,
  keyFrom,
  signerPlan,
} from "@/server/simulator/host/tpm/certificates";

const maker = commonNamed("Reclaim simulated component maker");
const makerKey = keyFrom("reclaim: the maker of simulated components");
const model = commonNamed("Reclaim simulated components of 2026");
const modelKey = keyFrom("reclaim: simulated components of 2026");

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replaceAll(/(.{64})(?=.)/g, "$1\n")}\n-----END CERTIFICATE-----\n`;

/** The authority of every simulated component, for a site's document. */
export const componentAuthority = pem(certificateDer(authorityPlan(maker, makerKey)));

const intermediate = pem(certificateDer(authorityPlan(model, modelKey, maker, makerKey)));

/** The key with which the component of this name, such as its serial number, signs. */
export const componentKey = (name: string): KeyObject => keyFrom(`reclaim: the component ${name}`);

/** PEM of its certificates, from its own to its maker's, as a BMC shows them. */
export const componentCertificates = (name: string): string =>
  [
    pem(certificateDer(signerPlan(commonNamed(`component ${name}`), componentKey(name), model, modelKey))),
    intermediate,
    componentAuthority,
  ].join("");
