// What a market is about, as far as its words tell. The real venues sort their markets by themselves or not at all.

const categories: Readonly<Record<string, string>> = {
  sports:
    "sports nfl nba mlb nhl wnba ncaa ncaab mls ufc fifa uefa atp wta pga f1,formula 1,premier league,champions league,la liga,serie a,bundesliga,world cup,super bowl,grand slam,olympics,soccer,football,basketball,baseball,hockey,tennis,golf,cricket,esports",
  crypto: "crypto bitcoin btc ethereum eth solana sol xrp dogecoin doge stablecoin defi nft airdrop token",
  economics:
    "economics economy financials companies fed fomc inflation cpi ppi gdp unemployment payrolls recession tariff tariffs nasdaq oil gold earnings ipo treasury,s p 500,interest rate,interest rates,rate cut,rate hike,federal funds,federal reserve,central bank,jobs report,mortgage,stock,stocks,finance,business",
  weather:
    "weather climate temperature rain rainfall snow snowfall hurricane tornado storm,climate and weather",
  technology:
    "technology tech ai openai anthropic google apple nvidia tesla microsoft chatgpt gpt llm,science and technology",
  science: "science health space nasa spacex vaccine covid asteroid earthquake fda,world health",
  politics:
    "politics elections election president presidential senate congress house governor mayor parliament minister nominee impeached democrat democrats republican republicans vote ballot cabinet court war ceasefire nato sanctions geopolitics,supreme court,white house,prime minister",
  culture:
    "culture entertainment oscars oscar grammy grammys emmy emmys movie movies film album song spotify netflix celebrity mentions tv,box office,rotten tomatoes,pop culture",
};

const regions: Readonly<Record<string, string>> = {
  us: "america american usa congress senate nfl nba mlb nhl wnba ncaa fed fomc texas florida california chicago nyc houston miami denver,united states,federal reserve,federal funds,new york,los angeles,white house,supreme court",
  europe:
    "europe european eu uk britain england france french germany german italy italian spain spanish poland ukraine ukrainian russia russian london paris berlin nato ecb uefa,premier league,champions league,la liga,serie a,bundesliga",
  asia: "asia asian china chinese japan japanese india indian korea korean taiwan taiwanese tokyo beijing indonesia philippines pakistan vietnam thailand,hong kong",
  "middle-east":
    "israel israeli iran iranian gaza saudi syria syrian lebanon yemen iraq qatar turkey turkish hamas hezbollah houthi,middle east",
  "latin-america":
    "brazil brazilian mexico mexican argentina argentine venezuela venezuelan colombia colombian chile peru,latin america,south america",
  africa: "africa african nigeria nigerian kenya egypt egyptian ethiopia sudan ghana",
};

const phrasesOf = (table: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(table).flatMap(([name, list]) =>
    list.split(",").flatMap((part, index) => {
      const phrases = index === 0 ? part.split(" ") : [part];
      return phrases.map((phrase) => [name, ` ${phrase} `] as const);
    }),
  );

const categoryPhrases = phrasesOf(categories);
const regionPhrases = phrasesOf(regions);

export type Placed = {
  readonly category: string;
  readonly region: string;
  readonly tags: readonly string[];
};

/**
 * Places a market by the category its venue gives, then by its labels, then by its title; `other` and `global` where none tells. The
 * labels become tags.
 */
export function placeMarket(
  title: string,
  venueCategory: string | undefined,
  labels: readonly string[],
): Placed {
  const texts = [venueCategory ?? "", labels.join(" , "), title].map(wordsIn);
  // The country, whose short name is a word for everybody in small letters.
  const isUs = /\bU\.?S\.?(?:A\.?)?(?![\w.])/.test(title);
  return {
    category: firstFound(texts, categoryPhrases) ?? "other",
    region: isUs ? "us" : (firstFound(texts, regionPhrases) ?? "global"),
    tags: [...new Set(labels.map(tagOf))].filter((tag) => tag !== "").slice(0, 10),
  };
}

function firstFound(
  texts: readonly string[],
  phrases: readonly (readonly [string, string])[],
): string | undefined {
  for (const text of texts) {
    const found = phrases.find(([, phrase]) => text.includes(phrase));
    if (found !== undefined) return found[0];
  }
  return undefined;
}

function wordsIn(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join(" ") ?? ""
  } `;
}

function tagOf(label: string): string {
  return wordsIn(label).trim().replaceAll(" ", "-").slice(0, 40);
}
