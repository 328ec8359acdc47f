#!/bin/sh
# Makes each service's two roles and its database where they are missing, and gives the roles the passwords of their addresses: the
# environment has NAME_DATABASE_URL and NAME_MIGRATE_DATABASE_URL for each. The grants are those of services/platform/postgres/provision.go;
# a test compares them. Passwords are letters, digits, - and _, which no address has to encode.
set -eu
export HOME=/tmp

# part ADDRESS PATTERN gives what the pattern's group finds in an address of PostgreSQL.
part() { printf '%s' "$1" | sed -nE "s|^postgres(ql)?://([A-Za-z0-9_-]+):([A-Za-z0-9_-]+)@[^/]+/([A-Za-z0-9_-]+).*|$2|p"; }

for name in $(env | sed -nE 's/^([A-Z]+)_MIGRATE_DATABASE_URL=.*/\1/p' | sort); do
  as_owner=$(printenv "${name}_MIGRATE_DATABASE_URL") as_service=$(printenv "${name}_DATABASE_URL")
  SERVICE=$(part "$as_service" '\2') PASSWORD=$(part "$as_service" '\3') DATABASE=$(part "$as_service" '\4')
  OWNER=$(part "$as_owner" '\2') OWNER_PASSWORD=$(part "$as_owner" '\3')
  if [ -z "$PASSWORD" ] || [ -z "$OWNER_PASSWORD" ] || [ "$DATABASE" != "$(part "$as_owner" '\4')" ]; then
    echo "provision: ${name}_DATABASE_URL and ${name}_MIGRATE_DATABASE_URL want addresses of PostgreSQL with role and password, of one database" >&2
    exit 1
  fi
  export SERVICE PASSWORD DATABASE OWNER OWNER_PASSWORD
  psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --dbname postgres <<'SQL'
\getenv service SERVICE
\getenv password PASSWORD
\getenv database DATABASE
\getenv owner OWNER
\getenv owner_password OWNER_PASSWORD
SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY[:'service', :'owner']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE :"service" LOGIN PASSWORD :'password';
ALTER ROLE :"owner" LOGIN PASSWORD :'owner_password';
SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'owner')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
\connect :"database"
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE :"database" TO :"service";
ALTER SCHEMA public OWNER TO :"owner";
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO :"service";
SQL
  echo "$DATABASE is there"
done
