import { describe, expect, test } from "vitest";
import { errorEnvelope, okEnvelope } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { errorCodes } from "../error/error-codes.ts";
import { envelopeMetaSchema, httpEnvelopeSchema } from "./http-envelope.ts";

describe("an answer of the platform", () => {
  keepsItsShape("answer", httpEnvelopeSchema, okEnvelope);
  keepsItsShape("refusal", httpEnvelopeSchema, errorEnvelope);
  keepsItsShape("meta", envelopeMetaSchema, okEnvelope.meta, { optional: ["receipt"] });

  test("is a success with data or a failure with an error, never both", () => {
    const { error } = errorEnvelope;
    const mixed = [
      { ...okEnvelope, error },
      { ...errorEnvelope, data: 1 },
      { ...okEnvelope, ok: "true" },
    ];
    expect(acceptedBy(httpEnvelopeSchema, mixed)).toStrictEqual([]);
  });

  test("has a failure's code from the closed list and a status from 400 to 599, every code's own among them", () => {
    const { code, status } = httpEnvelopeSchema.options[1].shape.error.shape;
    expect(acceptedBy(status, [200, 399, 400, 599, 600, "404", 404.5])).toStrictEqual([400, 599]);
    expect(acceptedBy(code, ["nope", "constructor", "", ...Object.keys(errorCodes)])).toStrictEqual(
      Object.keys(errorCodes),
    );
    const statuses = Object.values(errorCodes).map((facts) => facts.status);
    expect(acceptedBy(status, statuses)).toStrictEqual(statuses);
  });
});
