#!/bin/sh
# Makes the certificates beside this file anew: good for a hundred years, but for the one that has expired.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$work/index.txt"
echo 01 > "$work/serial"
cat > "$work/ca.cnf" <<END
[ca]
default_ca = kit
[kit]
database = $work/index.txt
serial = $work/serial
new_certs_dir = $work
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
END
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
key "$work/authority-key.pem"
openssl req -x509 -new -key "$work/authority-key.pem" -days 36500 -subj '/CN=Test authority of the conformance kit' \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign -out authority.pem
# One key for all of them: what differs is what the certificate says.
key server-key.pem
issue() {
  openssl req -new -key server-key.pem -subj "/CN=$1" -addext "subjectAltName=$2" -out "$work/$1.csr"
  openssl ca -batch -notext -config "$work/ca.cnf" -keyfile "$work/authority-key.pem" -cert authority.pem \
    -startdate "$3" -enddate "$4" -in "$work/$1.csr" -out "$1.pem"
}
issue good DNS:localhost,IP:127.0.0.1 20200101000000Z 21200101000000Z
issue expired DNS:localhost,IP:127.0.0.1 20200101000000Z 20210101000000Z
issue elsewhere DNS:elsewhere.example 20200101000000Z 21200101000000Z
# For the kit itself, with an encrypted key of its own; `stranger` is signed by nobody but itself.
key "$work/client-key.pem"
openssl pkcs8 -topk8 -v2 aes256 -in "$work/client-key.pem" -passout 'pass:open-sesame-42' -out client-key.pem
openssl req -new -key "$work/client-key.pem" -subj '/CN=conformance kit' -out "$work/client.csr"
openssl ca -batch -notext -config "$work/ca.cnf" -keyfile "$work/authority-key.pem" -cert authority.pem \
  -startdate 20200101000000Z -enddate 21200101000000Z -in "$work/client.csr" -out client.pem
openssl req -x509 -new -key server-key.pem -days 36500 -subj '/CN=stranger' -out stranger.pem
