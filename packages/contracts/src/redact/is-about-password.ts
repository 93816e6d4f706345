/** Types, and what stands in the place of what was left out. */
const type =
  /^(?:string|str|text|char|varchar|bytes|bool|boolean|int|integer|number|float|any|object|array|required|optional|null|none|nil|undefined|true|false|yes|no|redacted|hidden|masked|removed|omitted|filtered|encrypted|wrong|incorrect|invalid)$/i;

/** Words, and numbers apart from them: a made-up password has one in the other. */
const plain = /^[\p{L}\p{M}0-9\s'’,.:;!?()<>=%"_-]*$/u;
const mixed = /\p{L}[0-9]|[0-9]\p{L}/u;

const password =
  /pass(?:word|wort|phrase|code)|kennwort|contraseñ|mot de passe|senha|wachtwoord|парол|密码|密碼|パスワード|비밀번호/i;
const standIn =
  /^(?:your|my|the|some|example|sample|dummy|fake|placeholder|change|insert|replace|enter)[ _-].*(?:pass|pwd|secret|token|key|here|value|me$)/i;
/** How a check begins that has something to say. */
const judgement =
  /^(?:is|are|was|has|must|should|cannot|can't|may|does|do|too|at least|at most|needs?|invalid|incorrect|wrong|missing|please) /i;

/** What stands under a password's name and only speaks about it: a type, a label, a rule that was broken, "your-password". */
export function isAboutPassword(value: string): boolean {
  if (type.test(value)) return true;
  if (value.length > 200 || mixed.test(value) || !plain.test(value)) return false;
  return password.test(value) || standIn.test(value) || judgement.test(value);
}
