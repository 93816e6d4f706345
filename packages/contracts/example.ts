import {
  canonicalJson,
  hashInput,
  isSimpleFunctionsError,
  parsePolicy,
  redactText,
} from "@spfunctions/contracts";

// A policy is read strictly: what is not known is an error that names the path, and no value.
console.log(parsePolicy({ maxSideEffect: "user_write", allowTools: ["notes.*"] }));
try {
  parsePolicy({ maxSideEfect: "none" });
} catch (error) {
  if (isSimpleFunctionsError(error)) console.log(error.code, error.message);
}

// Equal values have one text and one hash, in Node and in a browser.
console.log(canonicalJson({ b: 1, a: 2 }), hashInput({ b: 1, a: 2 }) === hashInput({ a: 2, b: 1 }));

// What looks like a secret is hidden wherever a text is kept or shown.
console.log(redactText("login with password=hunter2 at once"));
