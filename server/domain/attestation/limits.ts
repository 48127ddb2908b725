// How much of a host's TPM is accepted, in bytes; both sides of the protocol know it.

/** No certificate of a TPM needs more. */
export const maxCertificateBytes = 8192;
