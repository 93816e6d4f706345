// The published vectors of RFC 8785: the six files of its companion test data, the bytes of section 3.2.4, and
// the number samples of Appendix B. Imports nothing: a browser runs it as well.

export const documents: readonly {
  readonly name: string;
  readonly input: string;
  readonly canonical: string;
}[] = [
  {
    name: "arrays",
    input: '[\n  56,\n  {\n    "d": true,\n    "10": null,\n    "1": [ ]\n  }\n]',
    canonical: '[56,{"1":[],"10":null,"d":true}]',
  },
  {
    name: "french",
    input:
      '{\n  "peach": "This sorting order",\n  "p\u00e9ch\u00e9": "is wrong according to French",\n' +
      '  "p\u00eache": "but canonicalization MUST",\n  "sin":   "ignore locale"\n}',
    canonical:
      '{"peach":"This sorting order","p\u00e9ch\u00e9":"is wrong according to French",' +
      '"p\u00eache":"but canonicalization MUST","sin":"ignore locale"}',
  },
  {
    name: "structures",
    input:
      '{\n  "1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0},\n  "10": { },\n  "": "empty",\n  "a": { },\n' +
      '  "111": [ {"e": "yes","E": "no" } ],\n  "A": { }\n}',
    canonical:
      '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}',
  },
  {
    name: "unicode",
    input: '{\n  "Unnormalized Unicode":"A\\u030a"\n}',
    canonical: '{"Unnormalized Unicode":"A\u030a"}',
  },
  {
    name: "values",
    input:
      '{\n  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n' +
      '  "string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/",\n' +
      '  "literals": [null, true, false]\n}',
    canonical:
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  },
  {
    name: "weird",
    input:
      '{\n  "\\u20ac": "Euro Sign",\n  "\\r": "Carriage Return",\n  "\\u000a": "Newline",\n  "1": "One",\n' +
      '  "\\u0080": "Control\\u007f",\n  "\\ud83d\\ude02": "Smiley",\n' +
      '  "\\u00f6": "Latin Small Letter O With Diaeresis",\n' +
      '  "\\ufb33": "Hebrew Letter Dalet With Dagesh",\n  "</script>": "Browser Challenge"\n}',
    canonical:
      '{"\\n":"Newline","\\r":"Carriage Return","1":"One","</script>":"Browser Challenge",' +
      '"\u0080":"Control\u007f","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
      '"\ud83d\ude02":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  },
];

/** Section 3.2.4: the UTF-8 bytes of `values`, in hex. */
export const valuesBytes =
  "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e3333" +
  "33333333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127" +
  "425c225c5c5c5c5c222f227d";

/** Appendix B: the bits of an IEEE 754 double and the text of that number. */
export const numbers: readonly { readonly hex: string; readonly text: string }[] = [
  { hex: "0000000000000000", text: "0" },
  { hex: "8000000000000000", text: "0" },
  { hex: "0000000000000001", text: "5e-324" },
  { hex: "8000000000000001", text: "-5e-324" },
  { hex: "7fefffffffffffff", text: "1.7976931348623157e+308" },
  { hex: "ffefffffffffffff", text: "-1.7976931348623157e+308" },
  { hex: "4340000000000000", text: "9007199254740992" },
  { hex: "c340000000000000", text: "-9007199254740992" },
  { hex: "4430000000000000", text: "295147905179352830000" },
  { hex: "44b52d02c7e14af5", text: "9.999999999999997e+22" },
  { hex: "44b52d02c7e14af6", text: "1e+23" },
  { hex: "44b52d02c7e14af7", text: "1.0000000000000001e+23" },
  { hex: "444b1ae4d6e2ef4e", text: "999999999999999700000" },
  { hex: "444b1ae4d6e2ef4f", text: "999999999999999900000" },
  { hex: "444b1ae4d6e2ef50", text: "1e+21" },
  { hex: "3eb0c6f7a0b5ed8c", text: "9.999999999999997e-7" },
  { hex: "3eb0c6f7a0b5ed8d", text: "0.000001" },
  { hex: "41b3de4355555553", text: "333333333.3333332" },
  { hex: "41b3de4355555554", text: "333333333.33333325" },
  { hex: "41b3de4355555555", text: "333333333.3333333" },
  { hex: "41b3de4355555556", text: "333333333.3333334" },
  { hex: "41b3de4355555557", text: "333333333.33333343" },
  { hex: "becbf647612f3696", text: "-0.0000033333333333333333" },
  { hex: "43143ff3c1cb0959", text: "1424953923781206.2" },
];

/** Appendix B: bits that are no JSON number. */
export const notNumbers: readonly string[] = ["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"];

export function doubleFromHex(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}
