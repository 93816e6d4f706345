/** The variables that a model's key may be in. */
export const modelKeys = ["SF_MODEL_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] as const;
