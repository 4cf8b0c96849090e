// Passwords that are guessed first. Only the server knows the list, because it is too large for the app.
import { invalid } from '../../errors/http-error.ts'

const MIN_DIFFERENT_CHARACTERS = 3

let list: Promise<ReadonlySet<string>> | undefined

/** The 49,000 most common passwords of the zxcvbn-ts project, in lower case. */
async function loadList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** Throws a 422 HttpError on `password` for a common one, and for the same characters over and over. */
export async function rejectCommonPassword(password: string): Promise<void> {
  const common = await (list ??= loadList())
  const isSimple = new Set(password).size < MIN_DIFFERENT_CHARACTERS
  if (isSimple || common.has(password.toLowerCase()))
    throw invalid({ password: ['Many people use this password. Choose another one.'] })
}
