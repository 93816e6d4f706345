import { hashInput, parsePolicy, redact, SimpleFunctionsError } from "@spfunctions/contracts";

// A policy is strict: a typo is an error that names the key, never a rule that silently does nothing.
try {
  parsePolicy({ maxSideEfect: "user_write" });
} catch (error) {
  if (error instanceof SimpleFunctionsError) console.log(error.message);
  // invalid policy: unknown key "maxSideEfect"; did you mean "maxSideEffect"?
}

// What is kept of a call: its input without secrets, and a hash that does not depend on the order of keys.
const recorded = redact({
  url: "https://api.example.com",
  headers: { authorization: "Bearer 9f8e7d6c5b4a" },
});
console.log(recorded, hashInput(recorded));
