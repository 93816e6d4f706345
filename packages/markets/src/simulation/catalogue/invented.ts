// Companies, teams, performers and missions that do not exist.
import { cities } from "./places.ts";
import type { SubjectKind } from "./template.ts";

const mascots = [
  "Herons",
  "Lanterns",
  "Otters",
  "Kestrels",
  "Anchors",
  "Comets",
  "Tides",
  "Foxgloves",
  "Millers",
];

export const teams: SubjectKind = {
  another: "squad",
  subjects: cities.subjects.map(({ code, name, region }, at) => ({
    code,
    name: `the ${name} ${mascots[at % mascots.length] ?? "Herons"}`,
    region,
  })),
};

export const companies = listed("unit", [
  ["NORV", "Norvane", "europe"],
  ["HALC", "Halcyra", "us"],
  ["TSUK", "Tsukimori", "asia"],
  ["BRAV", "Bravella", "latin-america"],
  ["OKAV", "Okavia", "africa"],
  ["ZAHR", "Zahrane", "middle-east"],
  ["PELT", "Peltrix", "us"],
  ["GRUN", "Grunwerk", "europe"],
  ["MISO", "Misora", "asia"],
  ["ANDI", "Andilux", "latin-america"],
  ["KALA", "Kalahara", "africa"],
  ["DUNE", "Dunevo", "middle-east"],
  ["COPP", "Copperlane", "us"],
  ["FJOR", "Fjordal", "europe"],
  ["HANB", "Hanbitron", "asia"],
  ["SIER", "Sierravox", "latin-america"],
  ["BAOB", "Baobanet", "africa"],
  ["QUIL", "Quillfern", "us"],
  ["VELM", "Velmora", "europe"],
  ["LOTA", "Lotara", "asia"],
  ["OSTR", "Ostrelle", "global"],
  ["MERI", "Meridane", "global"],
]);

export const performers = listed("cast", [
  ["TALV", "Mira Talvane", "europe"],
  ["OKEN", "Dexo Okenby", "africa"],
  ["HARU", "Harune Solka", "asia"],
  ["VEGR", "Lio Vegrande", "latin-america"],
  ["CROW", "Juniper Crowlane", "us"],
  ["SAFI", "Safira Nahlen", "middle-east"],
  ["PAPR", "The Paper Harbours", "europe"],
  ["SLOW", "Slow Meridian", "us"],
  ["KOTO", "Koto Static", "asia"],
  ["RIOS", "Rios de Vidrio", "latin-america"],
  ["EMBE", "Ember Kwaleh", "africa"],
  ["DESE", "Desert Telegraph", "middle-east"],
  ["FENN", "Fennimore Lask", "us"],
  ["NORD", "Nordlys Choir Nine", "europe"],
  ["MING", "Mingze Arrol", "asia"],
  ["COBA", "Cobalt Marimba", "latin-america"],
  ["ZULE", "Zuleka Ormond", "africa"],
  ["GLAS", "Glasswing Parade", "global"],
  ["TWIN", "Twin Orbit Radio", "global"],
]);

export const missions = listed("phase", [
  ["ASTR", "the Astrelle observatory", "europe"],
  ["PINE", "the Pinecrest array", "us"],
  ["HOSH", "the Hoshira probe", "asia"],
  ["ALTI", "the Altiplana telescope", "latin-america"],
  ["KARO", "the Karoon dish", "africa"],
  ["SAHI", "the Sahira survey", "middle-east"],
  ["DEEP", "the Deepmere station", "global"],
  ["BORE", "the Borealis fleet", "europe"],
  ["MESA", "the Mesa Nine laboratory", "us"],
  ["JADE", "the Jadeite orbiter", "asia"],
  ["COND", "the Condor balloon", "latin-america"],
  ["RIFT", "the Rift Valley array", "africa"],
  ["TIDE", "the Tidewatch buoys", "global"],
  ["LARK", "the Larkspur lander", "us"],
  ["ONDE", "the Ondelle detector", "europe"],
  ["SUNA", "the Sunara network", "asia"],
  ["POLE", "the Poleward camp", "global"],
  ["CEDA", "the Cedar Dome", "middle-east"],
  ["AGUA", "the Aguamar vessels", "latin-america"],
]);

function listed(another: string, rows: readonly (readonly [string, string, string])[]): SubjectKind {
  return { another, subjects: rows.map(([code, name, region]) => ({ code, name, region })) };
}
