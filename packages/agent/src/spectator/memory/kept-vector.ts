// B22: a vector decides what is shown, so it is proven as a memory is.
import { hashText, keptMemoryVectorSchema, type MemoryId } from "@spfunctions/contracts";
import {
  type DocumentWrite,
  unlessCorrupt,
  proofOf,
  provenBody,
  readKept,
  type StoredDocument,
} from "@spfunctions/kernel";
import { vectorKind } from "../../kept/kept-memory.ts";
import type { MemoryHost } from "./memory-host.ts";

/** Vectors of two models, or of two dimensions, are never compared: they are not even read together. */
export function vectorStatus(model: string, dimension: number): string {
  return `${hashText(model).slice("sha256:".length, "sha256:".length + 32)}-${dimension}`;
}

export type Vector = { readonly memoryId: MemoryId; readonly model: string; readonly numbers: Float32Array };

export function putVector(
  { accountId, proves }: Pick<MemoryHost, "accountId" | "proves">,
  { memoryId, model, numbers }: Vector,
  expects: number,
): DocumentWrite {
  const dimension = numbers.length;
  const value = { memoryId, model, dimension, vector: textOf(numbers) };
  const body = provenBody(vectorKind, value, proves);
  const status = vectorStatus(model, dimension);
  return { type: "put", kind: vectorKind, accountId, id: memoryId, expects, status, body };
}

export function vectorIn(
  { proves }: Pick<MemoryHost, "proves">,
  document: StoredDocument,
): Vector | undefined {
  return unlessCorrupt(() => {
    const { value, proof } = readKept(keptMemoryVectorSchema, document.body, `the vector of ${document.id}`);
    const { memoryId, model, dimension, vector } = value;
    const isInPlace = memoryId === document.id && document.status === vectorStatus(model, dimension);
    if (!isInPlace || proof !== proofOf(vectorKind, value, proves)) return undefined;
    return { memoryId, model, numbers: numbersIn(vector, dimension) };
  });
}

function textOf(numbers: Float32Array): string {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [place, number] of numbers.entries()) bytes.writeFloatLE(number, 4 * place);
  return bytes.toString("base64");
}

function numbersIn(text: string, dimension: number): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: dimension }, (_, place) => bytes.readFloatLE(4 * place));
}
