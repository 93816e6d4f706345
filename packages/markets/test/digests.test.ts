// A tool is its name and its digest: a change of any contract of this pack is deliberate, and shows here.
import { createMemoryStore } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { openMarkets } from "../src/open-markets.ts";

const pinned = {
  "alerts.create": "sha256:16b15b4b481cfa80495cdb809e2abd9d3e65f657730528bcfb098b45ddfd935d",
  "alerts.list": "sha256:aebbb263b2403a28659ff17fb7f1e3849e47b5fba0f16a8ddde164890b6a7b2d",
  "brief.write": "sha256:5f19f318682005f4a21b99597a2899543b2a50930206d60f40a358e898169990",
  "calendar.list": "sha256:eea9a18e0cc32baed5f55d26c19a2cecff20a919dd768642b7ca0d1153b3302a",
  "crossvenue.pairs": "sha256:8ee51e32deeeaf08699818b134f95d8132f675fc85869d25ff3e12814262f0a2",
  "execution.place": "sha256:eca3dd21a5a71103f8fe7c4d0bfd4f262547c1adfd36af928c13f5dac8fe17b0",
  "index.current": "sha256:463107731006150660f003b6e6571001ad7eabf309acec0f93dfe6d926a688e3",
  "index.history": "sha256:b96365cc1809b5db695ef0c28691ce07b711dbfc913fd073f356f0a8f2f37769",
  "intents.cancel": "sha256:6b97722eec4fddc2b52f0e53b351fef3f406e6dc88227d0b00925d54755c83ca",
  "intents.create": "sha256:1aab6fd7af1ca1811128ad6155e954682dacfd18bf958aacb169bfaa5fb3315a",
  "intents.get": "sha256:59ecd1acc09fc188e7ea3540aa028a041e4b21ce528de6173091f18da32bcf8f",
  "intents.list": "sha256:ff6d06c09ce77c45d4175d8cd1e972c3ab1ebbc7cf47b49bdff611b538b08d75",
  "market.candles": "sha256:7882390a28e17e9d4f5406fdffeda1a6b1de8057dd7b14c4d4bf246b4f93fdff",
  "market.inspect": "sha256:6758918fa614f702472391621ab0a708c8b421ae3d2f7562c0cda778a94be435",
  "markets.screen": "sha256:068d812f9e796042aeb9141449518f93fe98860e8dcf474cdeef44a2bc42f13e",
  "markets.search": "sha256:313636134e64ac1a4d7a521b895d35d63e2887f9c5f9354f15ae12308978d693",
  "paper.cancel": "sha256:23efcc10225bcf6aeb73794923fd34b9511aac122b9236f66a876a00926bca11",
  "paper.order": "sha256:bdc0756dd59a8eb71c11458ee72b3d893abf23a836b4764dd106e18b15bc3706",
  "paper.orders": "sha256:a73a841ba1687f3f6acb800a3403794bfd6ebb626bad4e7b1f989e5788b92d30",
  "portfolio.state": "sha256:c9639e33944e10afd06e2f3885bd58d25ea71d2394e4fe7b1f1a2033e5c8b2f8",
  "portfolio.trades": "sha256:c53216b5879cee1052f199708d41c9c6f0bae5a249cbf04421add567279a1112",
  "regime.scan": "sha256:d46682dfa0d071e95f656b060fdb2a5d26e932d2f70505ee894b79418b00eaca",
  "research.query": "sha256:f3ef31fcf3e47f5761981ca58b30fe0c6d894b6adf0e8ccbe9fe546035dce55b",
  "watchlists.add": "sha256:8b37b3d0168d6f771ade7c6645d988e6f22ae129af755a456253e6f099e85606",
  "watchlists.list": "sha256:cb02c061b8a089866168ef8bcd59ea8da461fc51a5e2c621c070ee1055bdd291",
  "world.delta": "sha256:ef230ab9321304c3717f2665aa8c29e2f78ac2724b4bc881890cb2fa775326e5",
  "world.read": "sha256:2e2e2d56ac7ac3dfac524f6eb360d4274febcf6b8ce474f68f1b61739b36ca53",
};

test("the digests of the pack are those that are pinned", async () => {
  const { pack } = await openMarkets({ store: createMemoryStore(), series: 1 });
  const active = pack.map(({ contract }) => contract).filter(({ status }) => status === "implemented");
  expect(Object.fromEntries(active.map(({ name, digest }) => [name, digest]))).toStrictEqual(pinned);
});
