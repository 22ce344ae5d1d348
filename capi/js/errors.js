// Errors with the code of the encoder and a plain message. No message holds a value.
export const codes = Object.freeze({ ARGUMENT: -1, TASK: -2, COST: -3, CONSENT: -4, BUDGET: -5, RANDOM: -6, LEDGER: -7 });

const messages = {
  [codes.ARGUMENT]: "a mistake in the call: an argument is missing or cannot be",
  [codes.TASK]: "the task is damaged, or its law is none",
  [codes.COST]: "the task's law costs more than the task claims: nothing is encoded",
  [codes.CONSENT]: "there is no consent of this device to this task and text",
  [codes.BUDGET]: "a limit of the app or of the task would be exceeded",
  [codes.RANDOM]: "there are no random bytes: no report was made, what it costs stays charged",
  [codes.LEDGER]: "the ledger is damaged: nothing is encoded",
};

export class GauzeError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "GauzeError";
    this.code = code;
  }
}

export const fail = (code, message) => new GauzeError(code, message ?? messages[code] ?? "an unknown error of the encoder");
