// Masks secrets in what Ironic clients store with a node, where Ironic masks them (oslo.utils `mask_dict_password`, ironic `node_sanitize`).

/** Replaces a secret for clients; Ironic's own mask. */
export const mask = "******";

/** A key that contains one of these holds a secret: the list of oslo.utils without the keys of services unrelated to bare metal. */
const secretKey =
  /adminpass|admin_pass|password|auth_token|new_pass|secret|sys_pswd|token|configdrive|chappassword|encrypted_key|private_key|fernetkey|sslkey|passphrase/i;

/** An `image_url` may be signed, giving access to the image to anybody who can read it. Ironic masks it in `instance_info`. */
const instanceKey = /^image_url$/i;

function masked(value: unknown, isSecret: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(item, isSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecret(key) && inner !== null && inner !== "" ? mask : masked(inner, isSecret),
    ]),
  );
}

/** A copy with the values of all secret keys masked, at any depth. Pure. */
export const maskSecrets = (value: unknown): unknown => masked(value, (key) => secretKey.test(key));

/** JSON text with its secrets masked. Text without any is returned unparsed, because lists show a thousand nodes. Pure. */
export const maskedText = (json: string): string =>
  secretKey.test(json) ? JSON.stringify(maskSecrets(JSON.parse(json))) : json;

/** The same for `instance_info`, where the image's address is masked too. Pure. */
export function maskedInstanceInfo(json: string): string {
  if (!secretKey.test(json) && !/"image_url"/i.test(json)) return json;
  return JSON.stringify(masked(JSON.parse(json), (key) => secretKey.test(key) || instanceKey.test(key)));
}
