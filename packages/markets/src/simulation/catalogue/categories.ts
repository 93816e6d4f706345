import { crypto } from "./crypto.ts";
import { culture } from "./culture.ts";
import { economics } from "./economics.ts";
import { politics } from "./politics.ts";
import { science } from "./science.ts";
import { sports } from "./sports.ts";
import { technology } from "./technology.ts";
import type { Category } from "./template.ts";
import { weather } from "./weather.ts";

export const categories: readonly Category[] = [
  economics,
  politics,
  crypto,
  weather,
  sports,
  technology,
  science,
  culture,
];
