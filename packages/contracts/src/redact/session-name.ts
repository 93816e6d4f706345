/** Names of cookies that may open a session. */
export const sessionName = /sess|sid|auth|token|jwt|csrf|xsrf|login|user|remember|key|id/i;
