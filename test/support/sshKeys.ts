/** SSH public keys made with ssh-keygen, with the fingerprints that `ssh-keygen -l` shows. */
export const sshKeys = {
  ed25519: {
    line: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG/UQxDAq2/+VJ0FJ4XhbenJ9U2NmMUW0g6aKyVVAnRT ada@example.com',
    fingerprint: 'SHA256:Hme5GKRvnxbSj0dA3tAnvLI7UGozQt1LEIIoG7BPja0',
  },
  rsa: {
    line: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDIpunnWBMPKF4CoEbpkJ7bYhBuQiRvr+Sj9RyvD/M+izgVW+kqMbkPCo4KnzKZniJoL8LVMk/S7gsAAhvRmJmVQVRJdYmg1uNSJuDPcXhWm+7NWCKfo0NHwFrQStTtgWCLai5rxrW1shhoNnpIofd2tmhCYYH7R5yjffHH/GZ5PDYo6NBf+E5bXLrZmcw8Zk7/AxImsvQLA7mnRmBzDiNGCUd3oz2j3NVgSQbFsWBA8Od6zzWkYdz/f2x4MSbCO7/WX6k/LIyvsKxAYZ1R97lpJdoEiKucneTGwalj6pPps5DkHboFYSh6X0A0ydRYT5Zd2JeG0SxRtlsVdhUXNXnp ada laptop',
    fingerprint: 'SHA256:q607CeBjIGiqdD095052UwTnViJCAf1ZFjgMmwrhacQ',
  },
  ecdsa256: {
    line: 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBBCjG1HAbRvlsc8jGVnQ8prDP6eLjjL6LYcBl7IWvCyOkK88a8HFUyGReB8EKcVsElb47vaoIGHqn1Yq0wG+9eQ=',
    fingerprint: 'SHA256:lNLVDFlEqAnSOHSwauegGznzHsI+N59bR+MoP920STc',
  },
  ecdsa521: {
    line: 'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAFyB/CdJv6JfqBr7ybo1Sx3S7uTOe7bzmpvwMqpO6jaArQTjbXApycYtjUlIDvV/eS2QB0tb2DXB/JE36v+t77r8gCFUwdj3w9EInKj1WpFvI6W6ZJVFl67Nv2dvGnW7bVPiNlDPFvjohm51y2/1q3DQjdKNd1liNPDjmAvfH9bX45kmg==',
    fingerprint: 'SHA256:YXJYuIbyaTzwh1AzZ6A5mtjzBMqMbhGGnoH0jwda2eE',
  },
} as const;
