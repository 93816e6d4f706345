import type { Subject, SubjectKind } from "./template.ts";

/** Prices are in cents of a dollar. */
export const coins: SubjectKind = {
  another: "exchange",
  subjects: [
    coin("BTC", "Bitcoin", 6_400_000, 100_000),
    coin("ETH", "Ether", 310_000, 5000),
    coin("SOL", "Solana", 14_500, 500),
    coin("XRP", "XRP", 62, 2),
    coin("ADA", "Cardano", 48, 2),
    coin("DOT", "Polkadot", 720, 20),
    coin("LTC", "Litecoin", 8400, 200),
    coin("LINK", "Chainlink", 1450, 50),
    coin("AVAX", "Avalanche", 3300, 100),
    coin("XLM", "Stellar", 41, 1),
    coin("ATOM", "Cosmos", 880, 20),
    coin("ALGO", "Algorand", 36, 1),
    coin("FIL", "Filecoin", 540, 20),
    coin("NEAR", "Near", 510, 20),
    coin("TEZ", "Tezos", 92, 2),
    coin("VELO", "Velora", 2600, 100),
    coin("ORBI", "Orbine", 190, 5),
    coin("SALT", "Saltmark", 77, 2),
    coin("KITE", "Kitecoin", 1200, 25),
    coin("LUMA", "Lumatra", 345, 10),
  ],
};

function coin(code: string, name: string, base: number, step: number): Subject {
  return { code, name, region: "global", base, step };
}
