// Secrets in what Ironic clients store with a node: masked where Ironic masks them (oslo.utils `mask_dict_password`, ironic `node_sanitize`).

/** What a client sees in place of a secret; Ironic's own mask. */
export const mask = "******";

/** A key that contains one of these holds a secret: the list of oslo.utils, less the keys of services that are not bare metal. */
const secretKey =
  /adminpass|admin_pass|password|auth_token|new_pass|secret|sys_pswd|token|configdrive|chappassword|encrypted_key|private_key|fernetkey|sslkey|passphrase/i;

/** An `image_url` may be signed and so open the image to whoever reads it; Ironic masks it in `instance_info`. */
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

/** A copy in which the value of each key that names a secret is masked, at any depth. Pure. */
export const maskSecrets = (value: unknown): unknown => masked(value, (key) => secretKey.test(key));

/** JSON text with its secrets masked. What holds none is passed on unread: lists show a thousand nodes. Pure. */
export const maskedText = (json: string): string =>
  secretKey.test(json) ? JSON.stringify(maskSecrets(JSON.parse(json))) : json;

/** The same for `instance_info`, where the address of the image is masked too. Pure. */
export function maskedInstanceInfo(json: string): string {
  if (!secretKey.test(json) && !/"image_url"/i.test(json)) return json;
  return JSON.stringify(masked(JSON.parse(json), (key) => secretKey.test(key) || instanceKey.test(key)));
}
