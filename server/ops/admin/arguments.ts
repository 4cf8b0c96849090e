// The arguments of the admin command.
import { parseArgs } from 'node:util'
import { typedCommand } from '../typed-command.ts'

/** What was typed makes no sense. The message is one line. */
export class UsageError extends Error {
  override name = 'UsageError'
}

interface Syntax {
  /** Arguments and options, as in the help. */
  usage: string
  does: string
  /** How many arguments it takes. */
  takes: number
  options: readonly Option[]
}

type Option = 'name' | 'superadmin' | 'password-stdin' | 'yes'

const syntax = (does: string, usage = '', ...options: Option[]): Syntax => ({
  usage,
  does,
  takes: [...usage.matchAll(/<(?:email|organisation|file)>/g)].length,
  options,
})

export const COMMANDS = {
  'user create': syntax(
    'makes an account, and prints its password once',
    '<email> [--name <text>] [--superadmin] [--password-stdin]',
    'name',
    'superadmin',
    'password-stdin',
  ),
  'user list': syntax('lists the users'),
  'user reset-password': syntax(
    'sets a new password, prints it once, and ends every sign-in',
    '<email> [--password-stdin]',
    'password-stdin',
  ),
  'user end-sign-ins': syntax('ends every sign-in of a user', '<email>'),
  'user delete': syntax(
    'deletes an account; what its user wrote stays, without the name',
    '<email> [--yes]',
    'yes',
  ),
  'superadmin grant': syntax('makes a user a superadmin', '<email>'),
  'superadmin revoke': syntax('makes a superadmin an ordinary user', '<email>'),
  'organisation list': syntax('lists the organisations'),
  'organisation export': syntax(
    'writes an organisation, by id or name, as JSON',
    '<organisation> <file>',
  ),
  'organisation delete': syntax(
    'deletes an organisation, by id or name, with all its records',
    '<organisation> [--yes]',
    'yes',
  ),
  'versions raise': syntax(
    'after a restore by other tools: has every device download everything once',
  ),
  'setup-link': syntax('prints a link that makes a superadmin, once, within 24 hours'),
  doctor: syntax('checks configuration, disk, clock, mail, address, proxy and backup'),
}

export type CommandName = keyof typeof COMMANDS

/** A command with its arguments, or the help that was asked for. */
export type Parsed =
  | { help: string }
  | {
      command: CommandName
      values: string[]
      isJson: boolean
      options: { name?: string; superadmin: boolean; fromStdin: boolean; confirmed: boolean }
    }

const names = Object.keys(COMMANDS) as CommandName[]
const lineOf = (name: CommandName) => `${name} ${COMMANDS[name].usage}`.trim()

/** The help of one command, or of all that begin with a word. */
function helpOf(chosen: readonly CommandName[]): string {
  const width = Math.max(...chosen.map((name) => lineOf(name).length))
  return [
    `Usage: ${typedCommand('admin')} <command> [--json] [--help]`,
    '',
    ...chosen.map((name) => `  ${lineOf(name).padEnd(width)}  ${COMMANDS[name].does}`),
    '',
    'Passwords are generated, or read from standard input with --password-stdin.',
  ].join('\n')
}

/** Reads the arguments. Throws UsageError with one line that says what is wrong. */
export function parseArguments(words: readonly string[]): Parsed {
  const [first = '', second = ''] = words
  const command = names.find((name) => name === first || name === `${first} ${second}`)
  if (command === undefined) {
    const group = names.filter((name) => name.startsWith(`${first} `))
    if (words.length === 0 || words.includes('--help')) {
      const chosen = group.length > 0 ? group : names
      return { help: helpOf(chosen) }
    }
    const known = group.length > 0 ? group : names
    const typed = group.length > 0 ? `${first} ${second}`.trim() : first
    throw new UsageError(`There is no command “${typed}”, but ${known.join(', ')}.`)
  }
  const { takes, options } = COMMANDS[command]
  const { values, positionals } = readOptions(command, words.slice(command.split(' ').length))
  if (values.help) return { help: helpOf([command]) }
  const foreign = (Object.keys(values) as (Option | 'json')[]).find(
    (name) => name !== 'json' && !options.includes(name),
  )
  if (foreign !== undefined)
    throw new UsageError(`“${command}” has no option --${foreign}. Usage: ${lineOf(command)}`)
  if (positionals.length !== takes || positionals.includes(''))
    throw new UsageError(`Usage: ${typedCommand('admin')} ${lineOf(command)}`)
  return {
    command,
    values: positionals,
    isJson: values.json === true,
    options: {
      ...(values.name !== undefined && { name: values.name }),
      superadmin: values.superadmin === true,
      fromStdin: values['password-stdin'] === true,
      confirmed: values.yes === true,
    },
  }
}

function readOptions(command: CommandName, args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        superadmin: { type: 'boolean' },
        'password-stdin': { type: 'boolean' },
        yes: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    // The message names the option only, never a value.
    const [, option = ''] = /(--?[\w-]+)/.exec(error instanceof Error ? error.message : '') ?? []
    throw new UsageError(`“${command}” does not take ${option}. Usage: ${lineOf(command)}`, {
      cause: error,
    })
  }
}
