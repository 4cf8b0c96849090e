// The settings of docs/deploy.md, with the ports and folders of one machine.

export interface Member {
  name: string
  /** Of PostgreSQL. */
  port: number
  /** Of Patroni, which answers 200 to /primary where its PostgreSQL is the primary. */
  restPort: number
}

interface PatroniOptions extends Member {
  etcdPort: number
  folder: string
  /** The folder of PostgreSQL's programs. */
  bin: string
}

export const patroniSettings = ({
  name,
  port,
  restPort,
  etcdPort,
  folder,
  bin,
}: PatroniOptions) => `
scope: cairn
name: ${name}
restapi:
  listen: 127.0.0.1:${restPort}
  connect_address: 127.0.0.1:${restPort}
etcd3:
  hosts: 127.0.0.1:${etcdPort}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
  pg_hba:
    - host replication replicator 127.0.0.1/32 trust
    - host all all 127.0.0.1/32 trust
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}/data
  bin_dir: ${bin}
  pgpass: ${folder}/pgpass
  authentication:
    replication: { username: replicator, password: replicator }
    superuser: { username: postgres, password: superuser }
  parameters:
    unix_socket_directories: ${folder}
    max_connections: 100
`

interface HaproxyOptions {
  /** Where connections to the primary are accepted, and the devices' calls. */
  primaryPort: number
  appPort: number
  members: readonly Member[]
  /** The ports of Cairn's processes. */
  servers: readonly number[]
}

export const haproxySettings = ({ primaryPort, appPort, members, servers }: HaproxyOptions) => `
defaults
  timeout connect 5s
  timeout client 1h
  timeout server 1h

listen primary
  mode tcp
  bind 127.0.0.1:${primaryPort}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`).join('\n')}

listen cairn
  mode http
  bind 127.0.0.1:${appPort}
  option httpchk GET /healthz
  http-error status 503 content-type application/json hdr Retry-After 5 string '{"message":"Service Unavailable"}'
  default-server inter 1s fall 2 rise 1
${servers.map((port) => `  server cairn-${port} 127.0.0.1:${port} check`).join('\n')}
`

interface PoolOptions {
  poolPort: number
  primaryPort: number
  /** The file with the names of those who may connect. */
  users: string
}

export const pgbouncerSettings = ({ poolPort, primaryPort, users }: PoolOptions) => `
[databases]
cairn = host=127.0.0.1 port=${primaryPort} dbname=cairn

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${poolPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 20
server_login_retry = 1
query_wait_timeout = 10
ignore_startup_parameters = extra_float_digits
`
