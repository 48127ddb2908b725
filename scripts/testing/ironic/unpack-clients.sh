#!/usr/bin/env bash
# unpack-clients.sh FOLDER: unpacks the openstacksdk of Debian 13 and the Ansible collection openstack.cloud without installing them. Debian 12's own
# do not work together: its collection requires an openstacksdk before 0.99, and it has 0.101. Needs apt-get, and does not change the system.
set -euo pipefail
folder=$1
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder"
chmod 755 "$apt"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main" >"$apt/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(
  cd "$apt"
  apt-get "${options[@]}" download {ansible,python3-openstacksdk,python3-keystoneauth1,python3-os-service-types,python3-dogpile.cache}/trixie
)
for package in "$apt"/python3-*.deb; do dpkg-deb -x "$package" "$folder"; done
dpkg-deb --fsys-tarfile "$apt"/ansible_*.deb | tar -x -C "$folder" ./usr/lib/python3/dist-packages/ansible_collections/openstack
